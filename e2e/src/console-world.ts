import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { freshDatabase } from '../../test/support/database.ts'
import {
  type MusterProcess,
  runMuster,
  type Settings,
  startMuster,
} from '../../test/support/muster-process.ts'
import { freePort } from '../../test/support/private-server.ts'
import type { StoreName } from '../../test/support/stores.ts'

/** A real server with the page of the console as it was built, and a browser. */
export interface ConsoleWorld {
  /** Where the server is: `https://localhost:43567`. */
  readonly address: string
  /** The one-time link of the first start. */
  readonly setupLink: string
  /** What pages have complained of: errors of scripts, and what the policy of the page has refused. */
  readonly complaints: string[]
  /** Opens a window of its own, with no cookies. */
  open(options?: BrowserContextOptions): Promise<Page>
  stop(): Promise<void>
}

/**
 * Starts all of it on a fresh store.
 *
 * @param records what is imported first, by the names of collections
 */
export async function consoleWorld(
  store: StoreName,
  records: Readonly<Record<string, readonly object[]>>,
): Promise<ConsoleWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-console-'))
  const database = store === 'postgres' ? await freshDatabase() : undefined
  const port = await freePort()
  const settings: Settings = {
    MUSTER_DATA: join(folder, 'data'),
    MUSTER_PLAIN_HTTP: 'false',
    MUSTER_PORT: String(port),
    MUSTER_PUBLIC_URL: `https://localhost:${port}`,
    ...(database ? { MUSTER_DATABASE_URL: database.url } : {}),
  }
  await importRecords(folder, settings, records)
  const server = await startMuster(settings)
  const browser = await launch()
  const complaints: string[] = []
  return {
    address: `https://localhost:${port}`,
    setupLink: setupLinkOf(server),
    complaints,
    open: async (options = {}) => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
      })
      return page
    },
    stop: async () => {
      await browser.close()
      await server.stop()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function importRecords(
  folder: string,
  settings: Settings,
  records: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
  const files = Object.entries(records).map(([name, list]) => {
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, list.map((record) => `${JSON.stringify(record)}\n`).join(''))
    return file
  })
  const { code, stderr } = await runMuster(['import', ...files], settings)
  if (code !== 0) throw new Error(`the records were not imported: ${stderr}`)
}

function setupLinkOf(server: MusterProcess): string {
  const link = /https:\S+\/console\/setup#\S+/.exec(server.stderr())?.[0]
  if (link === undefined) throw new Error(`the server has told no setup link: ${server.stderr()}`)
  return link
}

function launch(): Promise<Browser> {
  const executablePath = programs.chromium.find()
  if (!executablePath) throw new Error('Chromium was not found: run `npm test`, which installs it')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
