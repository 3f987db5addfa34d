import { describe, expect, test } from 'vitest'
import { anExtension } from '../../../../../test/support/agent-events.ts'
import { browserFacts } from '../../../../../test/support/agents.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { useObserved } from '../../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { unixSeconds } from '../../../kernel/lib/clock.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)

    test('updates the facts of the browser, unless the heartbeat is late', async () => {
      const before = await o.one('browsers')
      const facts = {
        version: '150.0',
        os: 'MACOS',
        language: null,
        profileEmail: 'ada@example.org',
      } as const
      await o.ada.send(o.make.heartbeat(browserFacts(facts)))
      const lastOnlineTimestamp = unixSeconds(h.clock) - 1
      const after = await o.one('browsers')
      expect(after).toEqual({ ...before, ...facts, lastOnlineTimestamp: lastOnlineTimestamp + 1 })
      const late = { timestamp: lastOnlineTimestamp - 3600, version: '149.0' }
      await o.ada.send(o.make.heartbeat({ ...browserFacts(facts), ...late }))
      expect(await o.one('browsers')).toEqual({ ...after, lastOnlineTimestamp: expect.any(Number) })
    })

    test('adds, updates and removes extensions by the reported list', async () => {
      const now = unixSeconds(h.clock)
      const unchanged = anExtension({ extensionId: 'kept' })
      const changed = anExtension({ extensionId: 'changed', permissions: ['tabs'] })
      const removed = anExtension({ extensionId: 'gone' })
      await o.ada.send(o.make.extensions({ extensions: [unchanged, changed, removed] }))
      const first = await o.list('browserExtensions')
      expect(first).toEqual(
        [unchanged, changed, removed].map((facts) => ({
          id: expect.any(String),
          employeeId: o.ada.employee.id,
          browserId: o.ada.browserId,
          ...facts,
          creationTimestamp: now + 1,
          lastUpdatedTimestamp: now + 1,
        })),
      )
      const changes = { enabled: false, disabledReason: 'permissions_increase', permissions: ['history'] }
      const added = anExtension({ extensionId: 'added' })
      await o.ada.send(o.make.extensions({ extensions: [added, unchanged, { ...changed, ...changes }] }))
      const then = unixSeconds(h.clock)
      const second = await o.list('browserExtensions')
      expect(second).toEqual([
        first[0],
        { ...first[1], ...changes, lastUpdatedTimestamp: then },
        { ...first[2], ...added, id: second[2].id, creationTimestamp: then, lastUpdatedTimestamp: then },
      ])
      expect(await o.list('browserExtensions?permissions=history')).toEqual([second[1]])
      expect(await o.list('browserExtensions?extensionId=gone')).toEqual([])
    })

    test('ignores a late list; an empty list removes all', async () => {
      const now = unixSeconds(h.clock)
      await o.ada.send(o.make.extensions({ extensions: [anExtension()] }))
      const known = await o.list('browserExtensions')
      await o.ada.send(o.make.extensions({ timestamp: now - 3600, extensions: [] }))
      expect(await o.list('browserExtensions')).toEqual(known)
      await o.ada.send(o.make.extensions())
      expect(await o.list('browserExtensions')).toEqual([])
    })

    test('applies the latest of several lists in a batch', async () => {
      const now = unixSeconds(h.clock)
      const listOf = (extensionId: string, timestamp: number) =>
        o.make.extensions({ timestamp, extensions: [anExtension({ extensionId })] })
      await o.ada.send(listOf('latest', now), listOf('older', now - 10))
      expect(await o.one('browserExtensions')).toMatchObject({ extensionId: 'latest' })
    })

    test('keeps extensions of other browsers', async () => {
      const second = await o.browserOf(o.ada.employee)
      await o.ada.send(o.make.extensions({ extensions: [anExtension()] }))
      await second.send(o.make.extensions({ extensions: [anExtension()] }))
      await second.send(o.make.extensions())
      expect(await o.one('browserExtensions')).toMatchObject({ browserId: o.ada.browserId })
    })
  })
}
