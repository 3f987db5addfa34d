import type { Collection } from '@muster/contract/api/collection'
import { numbersPerSecond, sequenceOf } from './sequence.ts'
import { type Param, StoreUnavailableError, type Tx } from './sql.ts'
import { tableOf } from './tables.ts'

/** All sequence numbers of a second are in use. Records of the next second can still be added. */
export class SequenceExhaustedError extends StoreUnavailableError {
  /** The second, in UNIX seconds. */
  readonly second: number
  constructor(collection: string, second: number, perSecond: number) {
    super(
      `All ${perSecond} sequence numbers for ${collection} created at ${second} (${new Date(second * 1000).toISOString()}) are in use. Use another creationTimestamp for the remaining records.`,
    )
    this.second = second
  }
}

/**
 * Allocates sequence numbers for new records of a collection. A number is the record's second of creation and a number from
 * the store's counter, modulo the numbers of a second. Until the counter exceeds those, numbers cannot collide. After that,
 * the allocation checks whether each number is in use, and takes the next free one if so.
 *
 * @param seconds creation times of the records, in UNIX seconds
 * @param perSecond sequence numbers of a second; lower in tests
 * @throws SequenceExhaustedError if a second has too few free numbers; nothing has been written then
 */
export async function allocateSequenceNumbers(
  tx: Tx,
  collection: Collection,
  org: number,
  seconds: readonly number[],
  perSecond = numbersPerSecond,
): Promise<number[]> {
  const numbers = await tx.takeNumbers(seconds.length)
  const seqs = seconds.map((second, at) => sequenceOf(second, (numbers[at] ?? 0) % perSecond))
  if ((numbers.at(-1) ?? 0) < perSecond) return seqs
  const used = await usedAmong(tx, collection, org, seqs)
  // The next free number may belong to another record of this call, so all records of that second get new numbers.
  const crowded = new Set(seconds.filter((_, at) => used.has(seqs[at] ?? 0)))
  for (const second of crowded) {
    const positions = seconds.flatMap((each, at) => (each === second ? [at] : []))
    const first = (numbers[positions[0] ?? 0] ?? 0) % perSecond
    const free = await findFree(tx, { collection, org, second, perSecond }, first, positions.length)
    positions.forEach((at, index) => {
      seqs[at] = free[index] ?? 0
    })
  }
  return seqs
}

async function usedAmong(
  tx: Tx,
  collection: Collection,
  org: number,
  seqs: readonly number[],
): Promise<Set<number>> {
  const { recordAt: at, recordsAt: atAny } = tx.dialect
  const [only = 0, ...others] = seqs
  const [condition, param] = others.length === 0 ? [at, only] : [atAny, JSON.stringify(seqs)]
  const sql = `SELECT seq FROM ${tableOf(collection).name} WHERE ${condition}`
  return readSeqs(tx, (hidden) => ({ sql, params: [org, hidden, param] }))
}

/**
 * Reads sequence numbers of visible and hidden records. A hidden record can become visible again, so its number is in use, too.
 */
async function readSeqs(
  tx: Tx,
  statement: (hidden: number) => { sql: string; params: readonly Param[] },
): Promise<Set<number>> {
  const seqs = new Set<number>()
  for (const hidden of [0, 1]) {
    const { sql, params } = statement(hidden)
    for (const { seq } of await tx.all<{ seq: number }>(sql, params)) seqs.add(Number(seq))
  }
  return seqs
}

interface Second {
  readonly collection: Collection
  readonly org: number
  readonly second: number
  readonly perSecond: number
}

/** Sequence numbers that are checked at once: of the first chunk, and at most. */
const chunkSize = { first: 1024, maximum: 65_536 }

/** Finds the first free sequence numbers of a second, starting at number `first` and wrapping around. */
async function findFree(tx: Tx, scope: Second, first: number, count: number): Promise<number[]> {
  const { collection, org, second, perSecond } = scope
  const rows = `SELECT t.seq AS seq FROM ${tableOf(collection).name} t${tx.dialect.indexedBy(null)}`
  const free: number[] = []
  let checked = 0
  for (let size = chunkSize.first; checked < perSecond && free.length < count; size *= 2) {
    const from = (first + checked) % perSecond
    const end = from + Math.min(size, chunkSize.maximum, perSecond - checked, perSecond - from)
    const used = await readSeqs(tx, (hidden) => {
      const [after, below] = [sequenceOf(second, from) - 1, sequenceOf(second, 0) + end]
      const { where, params } = tx.dialect.scan(org, hidden, after, below)
      return { sql: `${rows} WHERE ${where}`, params }
    })
    for (let number = from; number < end && free.length < count; number += 1) {
      checked += 1
      const seq = sequenceOf(second, number)
      if (!used.has(seq)) free.push(seq)
    }
  }
  if (free.length < count) {
    // Users of accounts have no creation time, only an order, so they continue in the next second.
    if (!('creationTimestamp' in collection.record.properties))
      return [...free, ...(await findFree(tx, { ...scope, second: second + 1 }, 0, count - free.length))]
    throw new SequenceExhaustedError(collection.name, second, perSecond)
  }
  await skipNumbers(tx, checked - count)
  return free
}

/** Advances the counter past numbers that are in use, so the next records do not have to check them again. */
async function skipNumbers(tx: Tx, numbers: number): Promise<void> {
  for (let left = numbers; left > 0; left -= chunkSize.maximum)
    await tx.takeNumbers(Math.min(left, chunkSize.maximum))
}
