import { extensionGroups } from '@muster/contract/console/extension-group'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { aBrowserExtension, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { countRecords } from '../../kernel/store/count.ts'
import { extensionCounter } from './extension-counter.ts'
import { extensionCounting, recordCountStarted } from './extension-counting.service.ts'

const log = pino({ level: 'silent' })
const patienceMs = 60_000

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const filled = async (name: string) => {
      const org = await h.addOrganization(name)
      await put(h, org, browserExtensions, [aBrowserExtension()])
      return org
    }
    const counted = (org: number) => countRecords(h.db, extensionGroups, org)
    const counter = () => extensionCounter({ db: h.db, clock: h.clock, log }, 20_000)

    test('counts in one process at a time, and takes over after it died', async () => {
      const org = await filled('shared')
      await h.db.inTransaction((tx) => recordCountStarted(tx, org, h.clock.nowMs()))
      await counter().freshen(org)
      expect(await counted(org)).toBe(0)
      h.clock.advanceMs(patienceMs)
      await counter().freshen(org)
      expect(await counted(org)).toBe(1)
    })

    test('can restart an aborted count at once', async () => {
      const org = await filled('given up')
      const stopped = counter()
      const looking = stopped.freshen(org)
      await stopped.stop()
      await looking
      await counter().freshen(org)
      expect(await counted(org)).toBe(1)
      const { begunMs, countedMs } = (await extensionCounting(h.db, org)) ?? {}
      expect(countedMs).toBe(begunMs)
    })

    test('counts once for concurrent requests, and not while the counts are new', async () => {
      const org = await filled('together')
      const one = counter()
      await Promise.all([one.freshen(org), one.freshen(org), one.freshen(org)])
      expect(await counted(org)).toBe(1)
      await put(h, org, browserExtensions, [aBrowserExtension({ extensionId: 'later' })])
      await one.freshen(org)
      expect(await counted(org)).toBe(1)
      h.clock.advanceMs(10 * patienceMs)
      await one.freshen(org)
      expect(await counted(org)).toBe(2)
    })
  })
}
