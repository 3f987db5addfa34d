import type { Collection } from '@muster/contract/collection'
import { numbersPerSecond, sequenceOf } from './sequence.ts'
import { type Param, StoreUnavailableError, type Tx } from './sql.ts'
import { tableOf } from './tables.ts'

/** A second in which as many records of a collection were created as it has places; the next second has room. */
export class FullSecondError extends StoreUnavailableError {
  /** The second, in UNIX seconds. */
  readonly second: number
  constructor(collection: string, second: number, perSecond: number) {
    super(
      `At most ${perSecond} ${collection} can have been created in one second, and in ${second} (${new Date(second * 1000).toISOString()}) as many were: give others another creationTimestamp.`,
    )
    this.second = second
  }
}

/**
 * Takes places in the order of creation for records of a collection that are to be added: the sequence number of each,
 * within its second. As long as the store has given fewer numbers than a second has places, no two records can have the
 * same; after that, it is looked whether somebody is there, and records whose place is taken get the next one that is free.
 *
 * @param seconds when each record was created, in UNIX seconds
 * @param perSecond so many places a second has
 * @throws FullSecondError when there are too few; nothing has been written then
 */
export async function takePlaces(
  tx: Tx,
  collection: Collection,
  org: number,
  seconds: readonly number[],
  perSecond = numbersPerSecond,
): Promise<number[]> {
  const numbers = await tx.takeNumbers(seconds.length)
  const places = seconds.map((second, at) => sequenceOf(second, (numbers[at] ?? 0) % perSecond))
  if ((numbers.at(-1) ?? 0) < perSecond) return places
  const taken = await takenAmong(tx, collection, org, places)
  // The next free place may be that of a record further on, so those of the same second are placed anew together.
  const crowded = new Set(seconds.filter((_, at) => taken.has(places[at] ?? 0)))
  for (const second of crowded) {
    const these = seconds.flatMap((each, at) => (each === second ? [at] : []))
    const first = (numbers[these[0] ?? 0] ?? 0) % perSecond
    const free = await freePlaces(tx, { collection, org, second, perSecond }, first, these.length)
    these.forEach((at, index) => {
      places[at] = free[index] ?? 0
    })
  }
  return places
}

async function takenAmong(
  tx: Tx,
  collection: Collection,
  org: number,
  places: readonly number[],
): Promise<Set<number>> {
  const { recordAt: at, recordsAt: atAny } = tx.dialect
  const [only = 0, ...others] = places
  const [condition, wanted] = others.length === 0 ? [at, only] : [atAny, JSON.stringify(places)]
  const sql = `SELECT seq FROM ${tableOf(collection).name} WHERE ${condition}`
  return seqsOf(tx, (unlisted) => ({ sql, params: [org, unlisted, wanted] }))
}

/** The numbers that are taken: whether a record is listed can change, its place is kept in both halves of the table. */
async function seqsOf(
  tx: Tx,
  statement: (unlisted: number) => { sql: string; params: readonly Param[] },
): Promise<Set<number>> {
  const taken = new Set<number>()
  for (const unlisted of [0, 1]) {
    const { sql, params } = statement(unlisted)
    for (const { seq } of await tx.all<{ seq: number }>(sql, params)) taken.add(Number(seq))
  }
  return taken
}

interface Second {
  readonly collection: Collection
  readonly org: number
  readonly second: number
  readonly perSecond: number
}

/** So many places are looked through at once, at first and at most. */
const stretch = { least: 1024, most: 65_536 }

/** The first free places of a second, from one on and round. */
async function freePlaces(tx: Tx, place: Second, first: number, wanted: number): Promise<number[]> {
  const { collection, org, second, perSecond } = place
  const rows = `SELECT t.seq AS seq FROM ${tableOf(collection).name} t${tx.dialect.indexedBy(null)}`
  const free: number[] = []
  let seen = 0
  for (let size = stretch.least; seen < perSecond && free.length < wanted; size *= 2) {
    const from = (first + seen) % perSecond
    const end = from + Math.min(size, stretch.most, perSecond - seen, perSecond - from)
    const taken = await seqsOf(tx, (unlisted) => {
      const [after, below] = [sequenceOf(second, from) - 1, sequenceOf(second, 0) + end]
      const { where, params } = tx.dialect.scan(org, unlisted, after, below)
      return { sql: `${rows} WHERE ${where}`, params }
    })
    for (let number = from; number < end && free.length < wanted; number += 1) {
      seen += 1
      const seq = sequenceOf(second, number)
      if (!taken.has(seq)) free.push(seq)
    }
  }
  if (free.length < wanted) {
    // Users of accounts have no time of creation of their own, only an order.
    if (!('creationTimestamp' in collection.record.properties))
      return [...free, ...(await freePlaces(tx, { ...place, second: second + 1 }, 0, wanted - free.length))]
    throw new FullSecondError(collection.name, second, perSecond)
  }
  await passOver(tx, seen - wanted)
  return free
}

/** Gives up numbers, so that the records that come next do not have to look through the same places again. */
async function passOver(tx: Tx, numbers: number): Promise<void> {
  for (let left = numbers; left > 0; left -= stretch.most) await tx.takeNumbers(Math.min(left, stretch.most))
}
