import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
// biome-ignore lint/correctness/useImportExtensions: the rule mistakes the declaration file for the module.
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

/** A real server with the built console, and a browser. */
export interface ConsoleWorld {
  /** Origin of the server: `https://localhost:43567`. */
  readonly address: string
  /** Setup link of the first start. @throws if there is an administrator already */
  readonly setupLink: string
  /** Script errors and violations of the Content Security Policy. */
  readonly complaints: string[]
  /** Opens a page in a new context without cookies. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** Creates the first administrator with the setup link, or signs in as them. Ends on the overview. */
  becomeOwner(page: Page): Promise<void>
  /** Runs a CLI command on the store and returns its JSON output. @throws if it fails */
  command(words: string, ...more: string[]): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

/** The first administrator. */
export const owner = {
  name: 'Ada Byron',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
} as const

type RecordsByName = Readonly<Record<string, readonly object[]>>

/** A generated workforce, with optional further records. */
interface Workforce {
  readonly workforce: number
  readonly days: number
  readonly more?: RecordsByName
}

/** Initial content of the store: records by collection name, or a workforce. */
export type ConsoleStock = RecordsByName | Workforce

/**
 * Starts a server and a browser on a fresh store. HTTP tests cover both stores; browser tests need only one.
 *
 * @param more settings of the server, or a function that derives them from its address
 */
export async function consoleWorld(
  store: StoreName,
  stock: ConsoleStock,
  more: Settings | ((address: string) => Promise<Settings>) = {},
): Promise<ConsoleWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-console-'))
  const database = store === 'postgres' ? await freshDatabase() : undefined
  const port = await freePort()
  const address = `https://localhost:${port}`
  const settings: Settings = {
    MUSTER_DATA: join(folder, 'data'),
    MUSTER_PLAIN_HTTP: 'false',
    MUSTER_PORT: String(port),
    MUSTER_PUBLIC_URL: address,
    ...(database ? { MUSTER_DATABASE_URL: database.url } : {}),
    ...(typeof more === 'function' ? await more(address) : more),
  }
  if (isWorkforce(stock))
    await run(settings, 'demo', ['--employees', String(stock.workforce), '--days', String(stock.days)])
  await importRecords(folder, settings, isWorkforce(stock) ? (stock.more ?? {}) : stock)
  const server = await startMuster(settings)
  const browser = await launch()
  const complaints: string[] = []
  return {
    address,
    get setupLink() {
      const link = setupLinkOf(server)
      if (link === undefined) throw new Error(`the server printed no setup link: ${server.stderr()}`)
      return link
    },
    complaints,
    open: async (options = {}) => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
      })
      return page
    },
    becomeOwner: async (page) => {
      // The server prints its startup output before it answers requests.
      await page.request.get(`${address}/healthz`)
      const link = setupLinkOf(server)
      await page.goto(link ?? `${address}/console/`)
      if (link !== undefined) {
        await page.getByLabel('Organization name').fill('default')
        await page.getByLabel('Your name').fill(owner.name)
      }
      await page.getByLabel('E-mail address').fill(owner.email)
      await page.getByLabel('Password').fill(owner.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    },
    command: async (words, ...args) => JSON.parse(await run(settings, words, [...args, '--json'])),
    stop: async () => {
      await browser.close()
      await server.stop()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isWorkforce = (stock: ConsoleStock): stock is Workforce => typeof stock.workforce === 'number'

/** Generating hundreds of employees takes long. */
const commandMs = 180_000

async function run(settings: Settings, words: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runMuster([...words.split(' '), ...args], settings, commandMs)
  if (code !== 0) throw new Error(`muster ${words} failed: ${stderr}`)
  return stdout
}

async function importRecords(folder: string, settings: Settings, records: RecordsByName): Promise<void> {
  const files = Object.entries(records).map(([name, list]) => {
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, list.map((record) => `${JSON.stringify(record)}\n`).join(''))
    return file
  })
  if (files.length > 0) await run(settings, 'import', files)
}

const setupLinkOf = (server: MusterProcess): string | undefined =>
  /(https:\S+\/console\/setup#\S+)\s/.exec(server.stderr())?.[1]

function launch(): Promise<Browser> {
  const executablePath = programs.chromium.find()
  if (!executablePath) throw new Error('Chromium was not found: run `npm test`, which installs it')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
