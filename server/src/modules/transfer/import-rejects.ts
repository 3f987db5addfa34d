import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CommandContext, CommandFailure, UsageError } from '../../kernel/cli/command.ts'
import { writeAll } from '../../kernel/lib/process/write-all.ts'
import type { Reject } from './import-report.ts'

/** Where rejected lines go, and how they are told. */
export interface Rejects {
  add(reject: Reject): void
  /** Says how many there were, `before` of them in an earlier part of the import, and where they are. */
  tellRest(rejected: number, before: number): void
  close(): void
}

const rejectsTold = 20

/**
 * Opens the file that keeps rejected lines. Nothing is ever written over: it must not be there yet, or be empty,
 * unless the import goes on with an earlier one.
 *
 * @param path as it was typed; without one, rejects are only told
 * @param goesOn whether what follows belongs behind what an earlier part of the import has rejected
 * @param read the files that the import reads; `-` is standard input
 * @throws UsageError, CommandFailure that say what would be right
 */
export function openRejects(
  context: CommandContext,
  path: string | undefined,
  goesOn: boolean,
  read: readonly string[],
): Rejects {
  const file = path === undefined ? undefined : openFor(resolve(context.io.cwd, path), path, goesOn, read)
  const holdsEarlier = file !== undefined && fstatSync(file).size > 0
  let told = 0

  function whereTheyAre(before: number): string {
    if (before > 0 && !holdsEarlier)
      return `Only those of this run are ${path === undefined ? 'shown' : `in ${path}`}; --restart pulls everything again, and with --rejects FILE keeps all.`
    return path === undefined ? '--rejects FILE keeps them.' : `They are in ${path}.`
  }

  function keep(into: number, line: string): void {
    try {
      writeAll(into, Buffer.from(line))
    } catch (error) {
      throw Object.assign(error as Error, { path })
    }
  }

  return {
    add(reject) {
      const { text, ...rest } = reject
      if (file !== undefined) keep(file, `${JSON.stringify({ ...rest, record: text })}\n`)
      told += 1
      // A progress bar may stand on the line.
      const start = context.io.stderr.isTTY === true ? '\r\u001B[K' : ''
      if (told <= rejectsTold) context.note(`${start}${reject.file}:${reject.line}: ${reject.reason}`)
    },
    tellRest(rejected, before) {
      if (rejected === 0) return
      const earlier = before > 0 ? `, ${before} of them before this pull went on` : ''
      const more = told > rejectsTold ? ` The first ${rejectsTold} are shown above.` : ''
      context.note(`${rejected} of the lines were rejected${earlier}.${more} ${whereTheyAre(before)}`)
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function openFor(path: string, typed: string, goesOn: boolean, read: readonly string[]): number {
  const named = `--rejects ${JSON.stringify(typed)}`
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    if (there && read.some((each) => isSame(there, each)))
      throw new UsageError(`${named} is a file that the import reads: name another one.`)
    if (there?.isFile() && there.size > 0 && !goesOn)
      throw new CommandFailure(`${named} is there already: name another file.`)
    // To append is never to write over, whoever may have written to the file since.
    return openSync(path, 'a', 0o600)
  } catch (error) {
    if (error instanceof UsageError || error instanceof CommandFailure) throw error
    throw new CommandFailure(
      `${named} must be a file that can be written: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

/** Whether a path leads to that file, under whatever name. */
function isSame({ dev, ino }: Stats, path: string): boolean {
  const other = path === '-' ? fstatSync(0) : statSync(path, { throwIfNoEntry: false })
  return other?.dev === dev && other.ino === ino
}
