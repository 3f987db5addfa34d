import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSelfSigned } from '../../server/src/http/self-signed.ts'
import { type AgentBrowser, launchBrowser } from './agent-browser.ts'
import { extensionIdOf } from './extension-id.ts'
import { keptInClear, leaks } from './leak-check.ts'
import { type MusterLine, openLine } from './muster-line.ts'
import { type MusterService, musterHost, startService } from './muster-service.ts'
import { type SiteServer, serveSites } from './site-server.ts'
import { sites } from './sites/web.ts'

/** The agent as it was built for Chromium. */
export const agentFolder = join(dirname(dirname(import.meta.dirname)), 'agent', 'dist', 'chromium')

/** How a browser of a world is started. */
export interface LaunchPlan {
  /** Name of its profile; the same again is the same browser after a restart. `profile` if left out. */
  readonly profile?: string
  /** Folders of extensions beside the agent. */
  readonly extensions?: readonly string[]
  /** What device management sets for the agent. */
  readonly managed?: object
}

/** A Muster, a web, and a line between Muster and the browsers of a test file. */
export interface World {
  readonly muster: MusterService
  readonly line: MusterLine
  readonly web: SiteServer
  /** A folder of the test file's own. */
  readonly folder: string
  /** Id of the agent as an extension. */
  readonly agentId: string
  launch(plan?: LaunchPlan): Promise<AgentBrowser>
  /** Everything the agent of a browser keeps. */
  stored(browser: AgentBrowser): Promise<unknown>
  /** Notes a password that must be in nothing that leaves a browser, except to the page's own site; gives it back. */
  secret(password: string): string
}

/** What a world notes while its tests run. */
interface Notes {
  readonly secrets: Set<string>
  /** What agents kept when their browsers were closed. */
  readonly kept: string[]
  readonly open: Set<AgentBrowser>
}

/**
 * Gives tests a world. After them it looks through everything that left their browsers, and what the agents kept, for
 * the passwords that were used: so that holds in whatever the tests do.
 */
export function inWorld(
  name: string,
  body: (world: World) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  describe(name, () => {
    const notes: Notes = { secrets: new Set(), kept: [], open: new Set() }
    let world: (World & { end(): Promise<void> }) | undefined
    beforeAll(async () => {
      world = await makeWorld(notes, settings)
    })
    afterAll(() => world?.end())
    body(new Proxy({} as World, { get: (_, member) => Reflect.get(world ?? {}, member) }))
    test('no password, and nothing that one could be guessed from, has left the browsers', async () => {
      for (const browser of notes.open) await browser.close()
      if (world === undefined) throw new Error('there was no world')
      expect(world.line.requests.length).toBeGreaterThan(0)
      const seen = { ...notes, requests: [...world.line.requests, ...world.web.requests] }
      expect(leaks(seen)).toEqual([])
      expect(keptInClear(seen)).toEqual([])
    })
  })
}

async function makeWorld(notes: Notes, settings: Readonly<Record<string, string>>) {
  if (!existsSync(join(agentFolder, 'manifest.json'))) throw new Error(`no agent was built in ${agentFolder}`)
  // Undone from the last to the first, also when a later part does not start.
  await using starting = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'muster-world-'))
  starting.defer(() => rmSync(folder, { recursive: true, force: true }))
  const certificate = await makeSelfSigned([musterHost], Date.now())
  const muster = await startService(settings)
  starting.defer(() => muster.stop())
  const line = await openLine(certificate, muster.address)
  starting.defer(() => line.close())
  const web = await serveSites(certificate, sites)
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
