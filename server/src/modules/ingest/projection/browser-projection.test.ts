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

    test('a heartbeat updates the facts of the browser; one that comes late does not turn them back', async () => {
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

    test('the list of extensions is compared with what is known: new, changed, gone', async () => {
      const now = unixSeconds(h.clock)
      const kept = anExtension({ extensionId: 'kept' })
      const changed = anExtension({ extensionId: 'changed', permissions: ['tabs'] })
      const gone = anExtension({ extensionId: 'gone' })
      await o.ada.send(o.make.extensions({ extensions: [kept, changed, gone] }))
      const first = await o.list('browserExtensions')
      expect(first).toEqual(
        [kept, changed, gone].map((facts) => ({
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
      await o.ada.send(o.make.extensions({ extensions: [added, kept, { ...changed, ...changes }] }))
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

    test('a list that comes late changes nothing, an empty one removes all', async () => {
      const now = unixSeconds(h.clock)
      await o.ada.send(o.make.extensions({ extensions: [anExtension()] }))
      const known = await o.list('browserExtensions')
      await o.ada.send(o.make.extensions({ timestamp: now - 3600, extensions: [] }))
      expect(await o.list('browserExtensions')).toEqual(known)
      await o.ada.send(o.make.extensions())
      expect(await o.list('browserExtensions')).toEqual([])
    })

    test('of several lists in a batch the latest holds, wherever it stands', async () => {
      const now = unixSeconds(h.clock)
      const listOf = (extensionId: string, timestamp: number) =>
        o.make.extensions({ timestamp, extensions: [anExtension({ extensionId })] })
      await o.ada.send(listOf('latest', now), listOf('older', now - 10))
      expect(await o.one('browserExtensions')).toMatchObject({ extensionId: 'latest' })
    })

    test('extensions belong to their browser', async () => {
      const second = await o.browserOf(o.ada.employee)
      await o.ada.send(o.make.extensions({ extensions: [anExtension()] }))
      await second.send(o.make.extensions({ extensions: [anExtension()] }))
      await second.send(o.make.extensions())
      expect(await o.one('browserExtensions')).toMatchObject({ browserId: o.ada.browserId })
    })
  })
}
