import { expect, test } from 'vitest'
import { shareQueries } from './postgres-shared-queries.ts'

/** A reader whose queries are answered by hand, with the number of the query. */
function manualReader() {
  const sent: PromiseWithResolvers<unknown[]>[] = []
  const all = <T>(): Promise<T[]> => {
    const query = Promise.withResolvers<unknown[]>()
    sent.push(query)
    return query.promise as Promise<T[]>
  }
  return { all, sent, answer: (number: number) => sent[number - 1]?.resolve([number]) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('callers share the next query, which is sent after all of them asked', async () => {
  const reader = manualReader()
  const read = shareQueries(reader)
  const first = read('SELECT 1', [])
  await turn()
  const others = [read('SELECT 1', []), read('SELECT 1', [])]
  await turn()
  expect(reader.sent).toHaveLength(1)
  reader.answer(1)
  expect(await first).toEqual([1])
  await turn()
  others.push(read('SELECT 1', []))
  await turn()
  expect(reader.sent).toHaveLength(2)
  reader.answer(2)
  reader.answer(3)
  expect(await Promise.all(others.slice(0, 2))).toEqual([[2], [2]])
  await turn()
  reader.answer(3)
  expect(await others[2]).toEqual([3])
  expect(reader.sent).toHaveLength(3)
})

test('different parameters are different queries, and a failure is only that of its callers', async () => {
  const reader = manualReader()
  const read = shareQueries(reader)
  const [one, other] = [read('SELECT ?', [1]), read('SELECT ?', [2])]
  await turn()
  const later = read('SELECT ?', [1])
  expect(reader.sent).toHaveLength(2)
  reader.sent[0]?.reject(new Error('lost'))
  await expect(one).rejects.toThrow('lost')
  reader.answer(2)
  expect(await other).toEqual([2])
  await turn()
  reader.answer(3)
  expect(await later).toEqual([3])
})
