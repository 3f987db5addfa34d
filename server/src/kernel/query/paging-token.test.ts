import { randomUUID } from 'node:crypto'
import { operations } from '@muster/contract/api/api'
import type { Operation } from '@muster/contract/api/operation'
import { type Employee, employees } from '@muster/contract/records/employee'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../../test/support/fast-check.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { getRecord, insertRecords, removeRecord, updateRecord } from '../store/records.ts'

/** A change between two pages. `at` is the position of the record among the initial ones. */
type Event = { kind: 'add'; createdAtSeconds: number } | { kind: 'change' | 'remove' | 'merge'; at: number }

const createdAtSeconds = fc.integer({ min: 1_000, max: 1_020 })
const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), createdAtSeconds }),
    fc.record({ kind: fc.constantFrom('change', 'remove', 'merge'), at: fc.nat(29) }),
  ),
  { maxLength: 5 },
)
const steps = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 6 }), events }), {
  minLength: 1,
  maxLength: 12,
})
const query = fc.constantFrom('', '&department=Sales', '&email=example', '&group=All&licensed=false')

const employee = (createdAtSeconds: number): Employee => {
  const id = randomUUID()
  return {
    id,
    email: `${id}@example.com`,
    firstName: null,
    lastName: null,
    department: 'Sales',
    location: null,
    licensed: false,
    chatopsEnabled: false,
    groups: ['All'],
    secondaryEmails: [],
    mergedIntoId: null,
    creationTimestamp: createdAtSeconds,
  }
}

for (const store of STORES) {
  describe(store, () => {
    let harness: Harness
    let organizations = 0
    beforeAll(async () => {
      harness = await startHarness(store)
    })
    afterAll(() => harness.close())

    const newCaller = async (): Promise<Caller> => {
      organizations += 1
      return harness.addKey(await harness.addOrganization(`organization ${organizations}`))
    }

    const add = async (org: number, records: readonly Employee[]): Promise<void> => {
      const rows = records.map((record) => ({
        id: record.id,
        record,
        createdAtSeconds: record.creationTimestamp,
      }))
      await harness.db.inTransaction((tx) => insertRecords(tx, employees, org, rows))
    }

    /** Applies a change. Returns the ID of a record that is no longer in the list. */
    const apply = (org: number, event: Event, start: readonly Employee[]): Promise<string | undefined> => {
      if (event.kind === 'add') return add(org, [employee(event.createdAtSeconds)]).then(() => undefined)
      const id = start[event.at % start.length]?.id ?? ''
      return harness.db.inTransaction(async (tx) => {
        const stored = await getRecord(tx, employees, org, id)
        if (!stored) return undefined
        if (event.kind === 'change') {
          await updateRecord(tx, employees, org, stored, {
            record: { ...stored.record, firstName: randomUUID(), groups: ['All', randomUUID()] },
          })
          return undefined
        }
        if (event.kind === 'remove') await removeRecord(tx, employees, org, stored)
        else await updateRecord(tx, employees, org, stored, { hidden: true })
        return id
      })
    }

    test('paging by token returns each lasting record once and in order despite concurrent writes', async () => {
      const start = fc.array(createdAtSeconds, { minLength: 1, maxLength: 30 })
      const property = fc.asyncProperty(start, steps, query, async (moments, pages, filters) => {
        const caller = await newCaller()
        const records = moments.map(employee)
        await add(caller.org, records)
        const gone = new Set<string | undefined>()
        const seen: string[] = []
        for (let step = 0, token = ''; ; step++) {
          const { limit, events } = pages[step % pages.length] ?? { limit: 1, events: [] }
          const url = `/v1/employees?limit=${limit}&nextToken=${token}${filters}`
          // The page is read while the changes are made.
          const [page, ...lost] = await Promise.all([
            harness.call(caller, 'GET', url),
            ...(step < pages.length ? events : []).map((event) => apply(caller.org, event as Event, records)),
          ])
          for (const id of lost) gone.add(id)
          seen.push(...page.body['the service'].map(({ id }: Employee) => id))
          if (!page.body.paging.moreResults) break
          token = page.body.paging.nextToken
        }
        const lasting = records
          .toSorted((one, other) => one.creationTimestamp - other.creationTimestamp)
          .map(({ id }) => id)
          .filter((id) => !gone.has(id))
        expect(seen.filter((id) => lasting.includes(id))).toEqual(lasting)
        expect(new Set(seen).size).toBe(seen.length)
      })
      await fc.assert(property, { numRuns: 40 })
    })

    describe('a nextToken', () => {
      let caller: Caller
      let token = ''
      const ask = (who: Caller, token: string, path = '/v1/employees?department=Sales') =>
        harness.call(
          who,
          'GET',
          `${path}${path.includes('?') ? '&' : '?'}nextToken=${encodeURIComponent(token)}`,
        )

      beforeAll(async () => {
        caller = await newCaller()
        await add(caller.org, [1_000, 1_001, 1_002].map(employee))
        const first = await harness.call(caller, 'GET', '/v1/employees?department=Sales&limit=1')
        token = first.body.paging.nextToken
      })

      const refused = (answer: Awaited<ReturnType<typeof ask>>): void => {
        expect(answer.status).toBe(400)
        expect(answer.body.code).toBe('invalid_request')
        expect(answer.body.errors).toEqual([expect.objectContaining({ in: 'query', name: 'nextToken' })])
      }

      test('is URL-safe, short, and valid with another limit', async () => {
        expect(token).toMatch(/^[A-Za-z0-9_-]{1,200}$/)
        const answer = await ask(caller, token, '/v1/employees?limit=1000&department=Sales')
        expect(answer.body['the service']).toHaveLength(2)
      })

      test('returns 400 if any bit is flipped or it is truncated', async () => {
        const bytes = Buffer.from(token, 'base64url')
        for (let bit = 0; bit < bytes.length * 8; bit++) {
          const changed = Buffer.from(bytes)
          changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          refused(await ask(caller, changed.toString('base64url')))
        }
        for (let length = 1; length < token.length; length++)
          refused(await ask(caller, token.slice(0, length)))
      })

      test('returns 400 in any other encoding', async () => {
        const others = [
          `${token}=`,
          `${token} `,
          ` ${token}`,
          `${token}A`,
          `${token}${token}`,
          token.toUpperCase(),
        ]
        // The last character has spare bits.
        for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
          if (!token.endsWith(last)) others.push(`${token.slice(0, -1)}${last}`)
        for (const other of others) refused(await ask(caller, other))
      })

      test('returns 400 for random text', async () => {
        const text = fc.oneof(
          fc
            .string({ unit: anyCharacter, minLength: 1, maxLength: 250 })
            .filter((text) => text.isWellFormed()),
          fc.base64String({ minLength: 4, maxLength: 200 }),
          fc.stringMatching(/^[A-Za-z0-9_-]{34}$/),
        )
        await fc.assert(
          fc.asyncProperty(text, async (text) => refused(await ask(caller, text))),
          { numRuns: 200 },
        )
      })

      test('returns 400 for another organization', async () => {
        const stranger = await newCaller()
        await add(stranger.org, [1_000, 1_001, 1_002].map(employee))
        refused(await ask(stranger, token))
      })

      test('returns 400 with other filters', async () => {
        for (const filters of [
          '',
          '?department=sales',
          '?department=Sales&licensed=false',
          '?location=Sales',
        ])
          refused(await ask(caller, token, `/v1/employees${filters}`))
      })

      test('returns 400 for any other list', async () => {
        const lists = (Object.values(operations) as Operation[]).filter(
          ({ kind, path }) => kind === 'list' && path !== '/v1/employees' && !path.includes(':id'),
        )
        expect(lists.length).toBeGreaterThan(7)
        const first = await harness.call(caller, 'GET', '/v1/employees?limit=1')
        for (const { path } of lists) refused(await ask(caller, first.body.paging.nextToken, path))
      })
    })
  })
}
