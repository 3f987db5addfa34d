import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { expect, test } from 'vitest'
import { expectAnswer, expectProblem, withoutRequestId } from './answers.ts'
import { put, unknownId } from './fixtures.ts'
import type { Harness } from './harness.ts'

/** Tests `GET` of a record by ID. */
export function describeGet<C extends Collection>(
  h: Harness,
  { path, collection, make }: { path: string; collection: C; make(): RecordOf<C> },
): void {
  test('returns the record without an envelope', async () => {
    const caller = await h.addCaller()
    const record = make()
    await put(h, caller.org, collection, [make(), record])
    expectAnswer(await h.call(caller, 'GET', `${path}/${idOf(record)}`), record)
  })

  test('returns the same 404 for every ID without a record in the organization', async () => {
    const caller = await h.addCaller()
    const other = await h.addCaller()
    const theirs = make()
    await put(h, other.org, collection, [theirs])
    const unknown = await h.call(caller, 'GET', `${path}/${unknownId()}`)
    expectProblem(unknown, 'not_found')
    const ids = [idOf(theirs), 'x', '%00', '%zz', '..%2f', 'a'.repeat(65), 'a'.repeat(5000), '%F0%9F%A4%96']
    for (const id of ids) {
      const answer = await h.call(caller, 'GET', `${path}/${id}`)
      expect(withoutRequestId(answer)).toBe(withoutRequestId(unknown))
    }
  })
}

const idOf = (record: unknown): string => (record as { id: string }).id
