import { mkdirSync } from 'node:fs'
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from 'playwright-core'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { until } from '../../test/support/until.ts'
import { managedProgram } from './managed-policy.ts'

/** How to start a browser. */
export interface BrowserPlan {
  /** Folder of the profile, kept from one start to the next. */
  readonly profile: string
  /** Folders of the extensions, the agent's first. */
  readonly extensions: readonly string[]
  /** Chromium's rules on where host names lead. */
  readonly hostRules: string
  /** SHA-256 of the public key of the certificate that is trusted, base64. */
  readonly trustedKey: string
  /** What device management sets for extensions, by their ids. */
  readonly managed?: Readonly<Record<string, object>>
}

/** A real Chromium with the agent in it. */
export interface AgentBrowser {
  readonly context: BrowserContext
  /** The service worker of the extension with this id; waits for it. */
  worker(id: string): Promise<Worker>
  /** A tab on an address. */
  open(url: string): Promise<Page>
  /** Ends the service workers of all extensions, as the browser does whenever they are idle, and waits until they have. */
  endWorkers(): Promise<void>
  /** Saves a password in the browser's own password manager, as people do at its question. */
  savePassword(url: string, username: string, password: string): Promise<void>
  close(): Promise<void>
}

export async function launchBrowser(plan: BrowserPlan): Promise<AgentBrowser> {
  mkdirSync(plan.profile, { recursive: true })
  const managed = plan.managed && managedProgram(program(), plan.profile, plan.managed)
  const context = await chromium.launchPersistentContext(plan.profile, {
    executablePath: managed?.executablePath ?? program(),
    headless: true,
    ignoreDefaultArgs: ['--disable-extensions', '--enable-automation'],
    args: [
      '--headless=new',
      '--no-sandbox',
      `--ignore-certificate-errors-spki-list=${plan.trustedKey}`,
      `--host-resolver-rules=${plan.hostRules}`,
      `--load-extension=${plan.extensions.join(',')}`,
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
    ],
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1000, height: 700 },
  })
  context.setDefaultTimeout(60_000)
  return {
    context,
    worker: (id) =>
      until(`service worker of ${id}`, () =>
        context.serviceWorkers().find((worker) => worker.url().startsWith(`chrome-extension://${id}/`)),
      ),
    open: async (url) => {
      const page = await context.newPage()
      await page.goto(url)
      return page
    },
    endWorkers: async () => {
      const [page] = context.pages()
      if (page === undefined) throw new Error('there is no tab to end workers from')
      const session = await context.newCDPSession(page)
      await endAllWorkers(session)
      await session.detach()
    },
    savePassword: async (url, username, password) => {
      const page = await context.newPage()
      await page.goto('chrome://password-manager/passwords')
      const entry = JSON.stringify({ url, username, password, note: '', useAccountStore: false })
      await page.evaluate(`chrome.passwordsPrivate.addPassword(${entry})`)
      await page.close()
    },
    close: async () => {
      await context.close()
      managed?.remove()
    },
  }
}

/**
 * Ends every service worker of a browser that runs or starts, and waits until each of them has ended. What the browser
 * says first, of all workers, comes in its own time after `enable`: nothing is ended before, or the end would be missed.
 */
async function endAllWorkers(session: CDPSession): Promise<void> {
  const toEnd = new Set<string>()
  const told = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let asked = false
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, runningStatus } of versions) {
      if (runningStatus === 'stopped') toEnd.delete(versionId)
      else if (!asked) toEnd.add(versionId)
    }
    told.resolve()
    if (asked && toEnd.size === 0) ended.resolve()
  })
  await session.send('ServiceWorker.enable')
  await told.promise
  asked = true
  if (toEnd.size === 0) return
  await session.send('ServiceWorker.stopAllWorkers')
  await ended.promise
}

function program(): string {
  const found = programs.chromium.find()
  if (found === undefined) throw new Error('Chromium was not found: run `npm test`, which installs it')
  return found
}
