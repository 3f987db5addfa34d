import type { Collection } from '@muster/contract/collection'
import { composeEvent, type Told } from '@muster/contract/event-compose'
import { type EventFor, type EventObject, eventDeclarationOf } from '@muster/contract/event-objects'
import { type BoundedMap, boundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'
import { idSource, newId } from '../lib/secrets/id.ts'
import type { Db, Tx } from '../store/sql.ts'
import { changeObject, changeText, changeTypeOf, oneChange, type RecordChange } from './event-changes.ts'
import { needsPeople, nobody, type People, readPeople } from './event-people.ts'
import {
  type EventRow,
  insertEvents,
  putEvents,
  putUnwished,
  readWishes,
  type Wishes,
} from './outbox-rows.ts'

/** A store that writes the events of what a transaction changes in that transaction (events contract, section 1). */
export interface Store extends Db {
  /** Calls back whenever events were committed here that are to be delivered. @returns what ends that */
  onEvents(listener: () => void): () => void
}

/** Something that the transaction tells: a change of a record, or an event of its own. */
type Entry =
  | { readonly object: EventObject; readonly collection: Collection; readonly change: RecordChange }
  | { readonly object: EventObject; readonly make: (id: string) => EventRow }

/** What a transaction tells of one organization. */
interface OrgEntries {
  entries: Entry[]
  /** What is wished for: being read, and read. */
  reading?: Promise<Wishes>
  wishes?: Wishes
}

/** What a transaction tells. */
interface Capture {
  readonly memory: Memory
  readonly orgs: Map<number, OrgEntries>
  /** How records before a change are shown, if not as they were. */
  reword?: (record: Readonly<Record<string, unknown>>) => unknown
  /** Whether changes are not told. */
  quiet: boolean
  /** Whether events were written. */
  told: boolean
}

/** What is kept from one transaction to the next. */
interface Memory {
  readonly clock: Clock
  readonly makeId: (nowMs: number) => string
  /**
   * What was wished for when it was last read, and the store's version of it then. Without a version it may be old: what
   * is decided by it is made sure of when it is written.
   */
  readonly wished: BoundedMap<number, { readonly wishes: Wishes; readonly version: number | undefined }>
}

/** By the transaction, so that whoever changes a record needs nothing more at hand. */
const captures = new WeakMap<Tx, Capture>()

/** So many entries are held back, to become one where they are of the same record. */
const heldMaximum = 500
/** So many events are put without a look at who wishes for them. */
const putMaximum = 4
const organizationsRemembered = 10_000

/** The store with an outbox: every transaction also writes the events of what it has changed. */
export function withOutbox(db: Db, clock: Clock): Store {
  const listeners = new Set<() => void>()
  const memory: Memory = { clock, makeId: idSource(), wished: boundedMap(organizationsRemembered) }
  const wake = () => {
    for (const listener of listeners) listener()
  }
  const { workers } = db
  return {
    ...db,
    workers: workers && { connect: () => workers.connect(wake) },
    inTransaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      let told = false
      const result = await db.inTransaction(async (tx) => {
        const capture: Capture = { memory, orgs: new Map(), quiet: false, told: false }
        captures.set(tx, capture)
        const done = await work(tx)
        for (const [org, kept] of capture.orgs) await writeEntries(tx, capture, org, kept)
        told = capture.told
        return done
      })
      if (told) wake()
      return result
    },
    onEvents: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * Lets a transaction tell nothing of what it changes and sees: for work that makes again what is already known. That it was
 * done is told all the same, by whoever does so.
 */
export function withoutEvents(tx: Tx): void {
  const capture = captures.get(tx)
  if (capture) capture.quiet = true
}

/** Shows records as they were before a change otherwise, in all events of the transaction: for what must be forgotten. */
export function rewordOld(tx: Tx, reword: (record: Readonly<Record<string, unknown>>) => unknown): void {
  const capture = captures.get(tx)
  if (capture) capture.reword = reword
}

/**
 * Notes that a record was changed. Several changes of a record become one event.
 *
 * @param isPut whether the change was put without waiting, so that nothing is to be asked of the store for it
 * @returns what is to be waited for, if much was noted
 */
export function noteChange(
  tx: Tx,
  collection: Collection,
  org: number,
  change: RecordChange,
  isPut = false,
): Promise<void> | undefined {
  const capture = captures.get(tx)
  if (!capture || capture.quiet) return undefined
  const object = changeObject(collection, change.after ?? change.before)
  if (object === undefined) return undefined
  const kept = orgEntries(tx, capture, org)
  if (kept.wishes && !kept.wishes.has(object)) return undefined
  // A change that nothing tells is left out at once, unless it may be the end of one that something does.
  if (kept.entries.length === 0 && changeTypeOf(change) === undefined) return undefined
  if (!isPut) void wishesOf(tx, capture, org, kept)
  return add(tx, capture, org, kept, { object, collection, change })
}

/** What an event tells that is no change of a record. */
export interface SeenFacts<O extends EventObject> {
  /** When it happened; UNIX seconds. */
  readonly timestamp: number
  readonly new: EventFor<O>['new']
}

/**
 * Tells an event that is no change of a record. It is composed only if somebody wishes for it.
 *
 * @returns what is to be waited for, if much was told
 */
export function tellEvent<O extends EventObject>(
  tx: Tx,
  org: number,
  object: O,
  facts: SeenFacts<O>,
): Promise<void> | undefined {
  const make = (id: string): EventRow => {
    const event = composeEvent(object, { ...facts, id } as unknown as Told<EventFor<O>>)
    return eventRow(object, id, facts.timestamp, JSON.stringify(event))
  }
  return tell(tx, org, { object, make })
}

/** An id for an event that is composed elsewhere, from the source that all events have theirs of: ids are their order. */
export const newEventId = (tx: Tx, nowMs: number): string => (captures.get(tx)?.memory.makeId ?? newId)(nowMs)

/**
 * Tells an event that was composed already.
 *
 * @param event `body` is what is sent
 * @returns what is to be waited for, if much was told
 */
export const tellComposed = (
  tx: Tx,
  org: number,
  object: EventObject,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Promise<void> | undefined => tell(tx, org, { object, make: () => eventRow(object, id, timestamp, body) })

/** Whether anybody wishes for events about an object. Where nobody does, what they would tell need not be found out. */
export async function isWished(tx: Tx, org: number, objects: readonly EventObject[]): Promise<boolean> {
  const capture = captures.get(tx)
  if (!capture || capture.quiet) return false
  const wishes = await wishesOf(tx, capture, org, orgEntries(tx, capture, org))
  return objects.some((object) => wishes.has(object))
}

function tell(tx: Tx, org: number, entry: Entry): Promise<void> | undefined {
  const capture = captures.get(tx)
  if (!capture) return undefined
  const kept = orgEntries(tx, capture, org)
  if (kept.wishes && !kept.wishes.has(entry.object)) return undefined
  return add(tx, capture, org, kept, entry)
}

function orgEntries(tx: Tx, { memory, orgs }: Capture, org: number): OrgEntries {
  const known = orgs.get(org)
  if (known) return known
  const made: OrgEntries = { entries: [] }
  const version = tx.cacheVersion()
  const remembered = version === undefined ? undefined : memory.wished.get(org)
  if (remembered && remembered.version === version) made.wishes = remembered.wishes
  orgs.set(org, made)
  return made
}

function add(
  tx: Tx,
  capture: Capture,
  org: number,
  kept: OrgEntries,
  entry: Entry,
): Promise<void> | undefined {
  kept.entries.push(entry)
  if (kept.entries.length < heldMaximum) return undefined
  const written = writeEntries(tx, capture, org, kept)
  // It is waited for later; what fails before is then the failure to tell of.
  written.catch(() => undefined)
  return written
}

/** What is wished for; it is asked once, and nobody who has not to waits for the answer. */
function wishesOf(tx: Tx, { memory }: Capture, org: number, kept: OrgEntries): Promise<Wishes> {
  if (kept.wishes) return Promise.resolve(kept.wishes)
  if (kept.reading) return kept.reading
  const version = tx.cacheVersion()
  const reading = readWishes(tx, org).then((wishes) => {
    kept.wishes = wishes
    memory.wished.set(org, { wishes, version })
    return wishes
  })
  // If the transaction fails meanwhile, its own failure is the one to tell of.
  reading.catch(() => undefined)
  kept.reading = reading
  return reading
}

async function writeEntries(tx: Tx, capture: Capture, org: number, kept: OrgEntries): Promise<void> {
  const entries = kept.entries
  if (entries.length === 0) return
  kept.entries = []
  const { clock, wished } = capture.memory
  const nowMs = clock.nowMs()
  const { optimistic } = tx
  const known = wished.get(org)?.wishes
  const isKnown = ({ object }: Entry) => known?.has(object) ?? false
  const isSure = !entries.some((entry) => needsPeople(entry.object) && isKnown(entry))
  if (optimistic && !kept.reading && entries.length <= putMaximum && isSure) {
    const others = entries.filter((entry) => !isKnown(entry))
    putUnwished(optimistic, org, [...new Set(others.map(({ object }) => object))])
    const events = eventsOf(capture, entries.filter(isKnown), nowMs, nobody)
    putEvents(optimistic, org, events, nowMs)
    if (events.length > 0) capture.told = true
    return
  }
  const wishes = kept.wishes ?? (await wishesOf(tx, capture, org, kept))
  const wanted = entries.filter(({ object }) => wishes.has(object))
  const naming = wanted.flatMap((entry) =>
    'change' in entry && needsPeople(entry.object) ? [entry.change] : [],
  )
  // Where records are reworded, people are to be forgotten: their events name nobody, also before all of them are gone.
  const people = naming.length === 0 || capture.reword ? nobody : await readPeople(tx, org, naming)
  const events = eventsOf(capture, wanted, nowMs, people)
  if (events.length === 0) return
  capture.told = true
  await insertEvents(tx, org, events, wishes, nowMs)
}

/** The events of what a transaction tells; of each record one, in the place of its first change. */
function eventsOf(capture: Capture, entries: readonly Entry[], nowMs: number, people: People): EventRow[] {
  if (entries.length < 2) return entries.flatMap((entry) => eventOf(capture, entry, nowMs, people) ?? [])
  const told = new Map<Entry | string, Entry>()
  for (const entry of entries) {
    if ('make' in entry) {
      told.set(entry, entry)
      continue
    }
    const key = `${entry.collection.name} ${entry.change.id}`
    const before = told.get(key)
    told.set(
      key,
      before && 'change' in before ? { ...entry, change: oneChange(before.change, entry.change) } : entry,
    )
  }
  return [...told.values()].flatMap((entry) => eventOf(capture, entry, nowMs, people) ?? [])
}

function eventOf(
  { memory, reword }: Capture,
  entry: Entry,
  nowMs: number,
  people: People,
): EventRow | undefined {
  if ('make' in entry) return entry.make(memory.makeId(nowMs))
  const { object, change } = entry
  const type = changeTypeOf(change)
  if (type === undefined) return undefined
  const id = memory.makeId(nowMs)
  const timestamp = Math.floor(nowMs / 1000)
  const old = change.before && reword ? reword(change.before) : change.before
  const body = changeText(object, { id, timestamp, type, change, old, people })
  return eventRow(object, id, timestamp, body)
}

const eventRow = (object: EventObject, id: string, timestamp: number, body: string): EventRow => ({
  id,
  timestamp,
  object,
  category: eventDeclarationOf(object).category,
  body,
})
