import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptInClear, leaks } from '../../e2e/src/leak-check.ts'
import { makeWorld, type Notes, type World } from '../../e2e/src/make-world.ts'
import { findTraces, tracesOf } from '../../e2e/src/secret-traces.ts'
import { wrongPassword } from './login-flows.ts'
import { openReverseProxy, type ReverseProxy } from './reverse-proxy.ts'

/** Muster and the web server for the products. */
export interface LabWorld {
  readonly world: World
  readonly web: ReverseProxy
  readonly notes: Notes
  /** Returns the places where a trace of a password was found. Call after the browsers are closed. */
  leaks(): string[]
  /** Returns the number of passwords that were searched for. */
  secrets(): number
  end(): Promise<void>
}

export async function openLabWorld(): Promise<LabWorld> {
  const notes: Notes = { secrets: new Set([wrongPassword]), kept: [], open: new Set() }
  let web: ReverseProxy | undefined
  const world = await makeWorld(notes, {}, async (certificate) => {
    web = await openReverseProxy(certificate)
    return web
  })
  if (web === undefined) throw new Error('the reverse proxy did not start')
  const proxy: ReverseProxy = web
  return {
    world,
    web: proxy,
    notes,
    secrets: () => notes.secrets.size,
    leaks: () => {
      const { secrets, kept } = notes
      // Products receive their own passwords. The agent must not send requests to anybody but Muster.
      const foreign = proxy.requests.filter(({ headers }) => /(?:chrome|moz)-extension:\/\//.test(headers))
      const traces = [...secrets].flatMap((secret) => tracesOf(secret, []))
      const { folder, log } = world.muster
      const texts: [string, string][] = [
        ...filesBelow(folder).map((path): [string, string] => [path, readFileSync(path, 'latin1')]),
        ['log of Muster', log()],
      ]
      return [
        ...foreign.map(({ method, host, target }) => `request of the agent: ${method} ${host}${target}`),
        ...leaks({ requests: world.line.requests, kept, secrets }),
        ...keptInClear({ requests: [], kept, secrets }).map((what) => `storage of the agent: ${what}`),
        ...texts.flatMap(([place, text]) => findTraces(text, traces).map((what) => `${place}: ${what}`)),
      ]
    },
    end: () => world.end(),
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
