import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptInClear, leaks } from './leak-check.ts'
import { makeWorld, type Notes, type World } from './make-world.ts'
import { serveSites } from './site-server.ts'
import { sites } from './sites/web.ts'

/**
 * Runs tests in a world. Afterwards, searches everything that left the browsers, and everything that the agents stored,
 * for the used passwords. This check covers whatever the tests do.
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
      world = await makeWorld(notes, settings, (certificate) => serveSites(certificate, sites))
    })
    afterAll(() => world?.end())
    body(new Proxy({} as World, { get: (_, member) => Reflect.get(world ?? {}, member) }))
    test('no password and no trace of one has left the browsers', async () => {
      for (const browser of notes.open) await browser.close()
      if (world === undefined) throw new Error('The world did not start')
      expect(world.line.requests.length).toBeGreaterThan(0)
      const seen = { ...notes, requests: [...world.line.requests, ...world.web.requests] }
      expect(leaks(seen)).toEqual([])
      expect(keptInClear(seen)).toEqual([])
    })
  })
}
