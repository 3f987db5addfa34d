import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CertificatePair, makeSelfSigned } from '../../server/src/kernel/http/self-signed.ts'
import { type AgentBrowser, launchBrowser } from './agent-browser.ts'
import { extensionIdOf } from './extension-id.ts'
import { type MusterLine, openLine } from './muster-line.ts'
import { type MusterService, musterHost, startService } from './muster-service.ts'
import type { SiteServer } from './site-server.ts'

/** Build of the agent for Chromium. */
export const agentFolder = join(dirname(dirname(import.meta.dirname)), 'agent', 'dist', 'chromium')

/** Options for launching a browser. */
export interface LaunchPlan {
  /** Name of the profile. The same name is the same browser after a restart. Default: `profile`. */
  readonly profile?: string
  /** Folders of extensions besides the agent. */
  readonly extensions?: readonly string[]
  /** Managed settings of the agent. */
  readonly managed?: object
}

/** Muster server, web server, and the connection between Muster and the browsers of a test file. */
export interface World {
  readonly muster: MusterService
  readonly line: MusterLine
  readonly web: SiteServer
  /** Temporary folder of the test file. */
  readonly folder: string
  /** Extension ID of the agent. */
  readonly agentId: string
  launch(plan?: LaunchPlan): Promise<AgentBrowser>
  /** Returns everything that the agent of a browser stores. */
  stored(browser: AgentBrowser): Promise<unknown>
  /** Registers a password that must not leave a browser, except to the page's own site, and returns it. */
  secret(password: string): string
}

/** Data that a world records during the tests. */
export interface Notes {
  readonly secrets: Set<string>
  /** Storage of agents at the time when their browsers were closed. */
  readonly kept: string[]
  readonly open: Set<AgentBrowser>
}

/** Opens the web server of a world with the certificate that its browsers trust. */
export type OpenWeb = (certificate: CertificatePair) => Promise<SiteServer>

/** Starts Muster, the web server and the connection; `end` stops them all. */
export async function makeWorld(
  notes: Notes,
  settings: Readonly<Record<string, string>>,
  openWeb: OpenWeb,
): Promise<World & { end(): Promise<void> }> {
  if (!existsSync(join(agentFolder, 'manifest.json'))) throw new Error(`No agent build in ${agentFolder}`)
  // Stopped in reverse order, also if a later part fails to start.
  await using starting = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'muster-world-'))
  starting.defer(() => rmSync(folder, { recursive: true, force: true }))
  const certificate = await makeSelfSigned([musterHost], Date.now())
  const muster = await startService(settings)
  starting.defer(() => muster.stop())
  const line = await openLine(certificate, muster.address)
  starting.defer(() => line.close())
  const web = await openWeb(certificate)
  starting.defer(() => web.close())
  starting.defer(async () => {
    for (const browser of notes.open) await browser.close()
  })
  const agentId = extensionIdOf(agentFolder)
  const trustedKey = createHash('sha256')
    .update(new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
  const stored = async (browser: AgentBrowser): Promise<unknown> =>
    (await browser.worker(agentId)).evaluate('chrome.storage.local.get()')
  const parts = starting.move()
  return {
    muster,
    line,
    web,
    folder,
    agentId,
    stored,
    secret: (password: string) => {
      notes.secrets.add(password)
      return password
    },
    launch: async ({ profile = 'profile', extensions = [], managed }: LaunchPlan = {}) => {
      const browser = await launchBrowser({
        profile: join(folder, profile),
        extensions: [agentFolder, ...extensions],
        hostRules: `MAP ${musterHost} 127.0.0.1:${line.port}, MAP * 127.0.0.1:${web.port}, EXCLUDE 127.0.0.1`,
        trustedKey,
        ...(managed === undefined ? {} : { managed: { [agentId]: managed } }),
      })
      const noting: AgentBrowser = {
        ...browser,
        close: async () => {
          if (!notes.open.delete(noting)) return
          notes.kept.push(JSON.stringify(await stored(browser)))
          await browser.close()
        },
      }
      notes.open.add(noting)
      return noting
    },
    end: () => parts.disposeAsync(),
  }
}
