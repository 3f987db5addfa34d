import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentBrowser, launchBrowser } from '../../e2e/src/agent-browser.ts'
import { extensionIdOf } from '../../e2e/src/extension-id.ts'
import type { World } from '../../e2e/src/make-world.ts'
import { openLine } from '../../e2e/src/muster-line.ts'
import { musterHost, startService } from '../../e2e/src/muster-service.ts'
import { serveSites } from '../../e2e/src/site-server.ts'
import { makeSelfSigned } from '../../server/src/kernel/http/self-signed.ts'
import { costSite } from './cost-pages.ts'

/** World for cost measurements. */
export interface CostWorld extends World, AsyncDisposable {
  /** Starts Chromium without the agent. */
  launchBare(): Promise<AgentBrowser>
}

/**
 * Starts Muster and a web server with the timed pages.
 *
 * @param agentFolder build of the agent for Chromium
 */
export async function openCostWorld(agentFolder: string): Promise<CostWorld> {
  await using starting = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'muster-cost-'))
  starting.defer(() => rmSync(folder, { recursive: true, force: true }))
  const certificate = await makeSelfSigned([musterHost], Date.now())
  const muster = await startService()
  starting.defer(() => muster.stop())
  const line = await openLine(certificate, muster.address)
  starting.defer(() => line.close())
  const web = await serveSites(certificate, [costSite])
  starting.defer(() => web.close())
  const open = new Set<AgentBrowser>()
  starting.defer(async () => {
    for (const browser of open) await browser.close()
  })
  const agentId = extensionIdOf(agentFolder)
  const key = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' })
  const launch = async (profile: string, extensions: readonly string[]) => {
    const browser = await launchBrowser({
      profile: join(folder, profile),
      extensions,
      hostRules: `MAP ${musterHost} 127.0.0.1:${line.port}, MAP * 127.0.0.1:${web.port}, EXCLUDE 127.0.0.1`,
      trustedKey: createHash('sha256').update(key).digest('base64'),
    })
    open.add(browser)
    return browser
  }
  const parts = starting.move()
  return {
    muster,
    line,
    web,
    folder,
    agentId,
    launch: () => launch('agent', [agentFolder]),
    launchBare: () => launch('bare', []),
    stored: async (browser) => (await browser.worker(agentId)).evaluate('chrome.storage.local.get()'),
    secret: (password) => password,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
