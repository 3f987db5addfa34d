import { describe, expect, test } from 'vitest'
import { addLicensed, asBrowser, enrollBrowser } from '../../../../test/support/agents.ts'
import { consoleBrowser, goodPassword, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { revokeApiKey } from '../../modules/api-keys/api-keys.service.ts'
import { revokeBrowserCredential } from '../../modules/browsers/browser-credentials.service.ts'
import { unixSeconds } from '../lib/clock.ts'

/** Steps back the wall clock, as when a clock that ran ahead is corrected. */
const stepMs = -3_600_000
const still = { still: true }

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    const statuses = async (count: number, ask: () => Promise<{ status: number }>): Promise<number[]> => {
      const all: number[] = []
      for (let index = 0; index < count; index += 1) all.push((await ask()).status)
      return all
    }

    test('the rate limit of a key holder and its refill are unaffected', async () => {
      const caller = await h.addCaller()
      const ask = () => h.call(caller, 'GET', '/v1/employees?limit=1', still)
      h.clock.advanceMs(10_000)
      expect(await statuses(10, ask)).toEqual(Array(10).fill(200))
      h.clock.advanceMs(stepMs)
      expect(await statuses(11, ask)).toEqual([...Array(10).fill(200), 429])
      h.clock.advanceMs(100)
      expect(await statuses(2, ask)).toEqual([200, 429])
    })

    test('the limits of a browser and of failures of an address are unaffected', async () => {
      const caller = await h.addCaller()
      const { credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
      const ask = () => asBrowser(h, credential, 'GET', '/policy', still)
      const fail = () => h.call(null, 'GET', '/v1/employees', still)
      h.clock.advanceMs(10_000)
      expect(await statuses(10, ask)).toEqual(Array(10).fill(200))
      expect(await statuses(10, fail)).toEqual(Array(10).fill(401))
      h.clock.advanceMs(stepMs)
      expect(await statuses(11, ask)).toEqual([...Array(10).fill(200), 429])
      expect(await statuses(11, fail)).toEqual([...Array(10).fill(401), 429])
    })

    test('a revoked key and a revoked browser are rejected within a second', async () => {
      const caller = await h.addCaller()
      const { browserId, credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
      const ask = async () => [
        (await h.call(caller, 'GET', '/v1/employees?limit=1', still)).status,
        (await asBrowser(h, credential, 'GET', '/policy', still)).status,
      ]
      h.clock.advanceMs(10_000)
      expect(await ask()).toEqual([200, 200])
      h.clock.advanceMs(stepMs)
      const nowSeconds = unixSeconds(h.clock)
      await h.db.inTransaction(async (tx) => {
        await revokeApiKey(tx, caller.org, caller.keyId, nowSeconds)
        await revokeBrowserCredential(tx, caller.org, browserId, nowSeconds)
      })
      h.clock.advanceMs(1000)
      expect(await ask()).toEqual([401, 401])
    })

    test('a locked account is unlocked at the same time', async () => {
      const owner = await signedIn(h, await h.addOrganization('locked'), 'OWNER')
      const browser = consoleBrowser(h)
      const signIn = async (password: string) =>
        (await browser.call('POST', 'sign-in', { email: owner.email, password })).status
      expect(await statuses(6, async () => ({ status: await signIn('wrong') }))).toEqual([
        ...Array(5).fill(401),
        429,
      ])
      h.clock.advanceMs(stepMs)
      expect(await signIn(goodPassword)).toBe(429)
      h.clock.advanceMs(30_000)
      expect(await signIn(goodPassword)).toBe(200)
    })
  })
}
