import { mkdirSync } from 'node:fs'
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from 'playwright-core'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { until } from '../../test/support/until.ts'
import { managedProgram } from './managed-policy.ts'

/** Options for launching a browser. */
export interface BrowserPlan {
  /** Profile folder, kept between launches. */
  readonly profile: string
  /** Extension folders; the agent comes first. */
  readonly extensions: readonly string[]
  /** Chromium's host resolver rules. */
  readonly hostRules: string
  /** SHA-256 of the trusted certificate's public key, base64. */
  readonly trustedKey: string
  /** Managed settings of extensions, by extension ID. */
  readonly managed?: Readonly<Record<string, object>>
}

/** Real Chromium with the agent installed. */
export interface AgentBrowser {
  readonly context: BrowserContext
  /** Returns the service worker of the extension with this ID, waiting for it if needed. */
  worker(id: string): Promise<Worker>
  /** Opens an address in a new tab. */
  open(url: string): Promise<Page>
  /**
   * Stops the service workers of all extensions, as the browser does when they are idle, and waits until they are
   * stopped.
   */
  endWorkers(): Promise<void>
  /** Saves a password in the browser's own password manager, as users do when it asks. */
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
      if (page === undefined) throw new Error('No open tab for stopping the workers')
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
 * Stops every running or starting service worker of a browser, and waits until each has stopped. The first report about
 * all workers arrives some time after `enable`; nothing is stopped before it, or the stop would be missed.
 */
async function endAllWorkers(session: CDPSession): Promise<void> {
  const toEnd = new Set<string>()
  const listed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let asked = false
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, runningStatus } of versions) {
      if (runningStatus === 'stopped') toEnd.delete(versionId)
      else if (!asked) toEnd.add(versionId)
    }
    listed.resolve()
    if (asked && toEnd.size === 0) ended.resolve()
  })
  await session.send('ServiceWorker.enable')
  await listed.promise
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
