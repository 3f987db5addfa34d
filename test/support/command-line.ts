import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, inject } from 'vitest'
import { runCli } from '../../server/src/kernel/cli/run.ts'
import { commandsOf, currentWords } from '../../server/src/main/commands.ts'
import { capturedStream } from './captured-stream.ts'
import { type FreshDatabase, freshDatabase, migratedDatabase } from './database.ts'
import type { JsonValue } from './harness.ts'
import type { Settings } from './muster-process.ts'
import { copySqliteTemplate } from './store-templates.ts'
import type { StoreName } from './stores.ts'

/** Result of a command. */
interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Command line in this process, with its own store. */
export interface CommandLine {
  /** Working directory of the commands. */
  readonly folder: string
  readonly dataDir: string
  /** Settings as environment variables. */
  readonly settings: Settings
  /** Runs a command. `words` is split at spaces; arguments with spaces go into `more`. */
  run(words: string, ...more: string[]): Promise<Outcome>
  /**
   * Runs a command with --json. @throws Error with its standard error if it printed nothing
   */
  json<T = JsonValue>(words: string, ...more: string[]): Promise<T>
  /**
   * Writes a file of JSON Lines; strings are written unchanged. @returns its name
   */
  file(name: string, lines: readonly (object | string)[]): string
  /** Returns the contents of all files in a folder, by name. */
  files(folder: string): Record<string, string>
  /** Creates another empty store, of either kind, with the same working directory. */
  another(store: StoreName): Promise<CommandLine>
}

/**
 * Gives each test a command line on a store without rows.
 *
 * @param isEmpty true for a data folder and database without a schema, as before the first start
 */
export function useCommandLine(store: StoreName, { isEmpty = false } = {}): CommandLine {
  let folder = ''
  let databases: FreshDatabase[] = []
  let current: CommandLine | undefined
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muster-command-'))
    databases = []
    current = await open(store, isEmpty)
  })
  afterEach(async () => {
    for (const database of databases) await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(kind: StoreName, isEmpty = true): Promise<CommandLine> {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const settings: Record<string, string> = { MUSTER_DATA: dataDir }
    if (kind === 'sqlite' && !isEmpty) copySqliteTemplate(inject('storeTemplate'), dataDir)
    if (kind === 'postgres') {
      const database = await (isEmpty ? freshDatabase() : migratedDatabase())
      databases.push(database)
      settings.MUSTER_DATABASE_URL = database.url
    }
    const run = async (words: string, ...more: string[]): Promise<Outcome> => {
      const stdout = capturedStream()
      const stderr = capturedStream()
      const io = { stdout, stderr, env: settings, cwd: folder, signal: new AbortController().signal }
      const argv = currentWords([...words.split(' '), ...more])
      const code = await runCli(await commandsOf(argv[0]), argv, io)
      return { code, stdout: stdout.taken(), stderr: stderr.taken() }
    }
    return {
      folder,
      dataDir,
      settings,
      run,
      json: async (words, ...more) => {
        const { stdout, stderr } = await run(words, ...more, '--json')
        if (stdout === '') throw new Error(`muster ${words} printed nothing: ${stderr}`)
        return JSON.parse(stdout)
      },
      file: (name, lines) => {
        mkdirSync(join(folder, name, '..'), { recursive: true })
        const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
        writeFileSync(join(folder, name), texts.map((text) => `${text}\n`).join(''))
        return name
      },
      files: (name) =>
        Object.fromEntries(
          readdirSync(join(folder, name)).map((file) => [
            file,
            readFileSync(join(folder, name, file), 'latin1'),
          ]),
        ),
      another: (kind) => open(kind),
    }
  }

  // Delegates to the command line of the current test.
  return new Proxy({} as CommandLine, { get: (_, name) => Reflect.get(current ?? {}, name) })
}
