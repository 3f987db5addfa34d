import type { Collection } from '@muster/contract/api/collection'
import { composeEvent, type EventInput } from '@muster/contract/events/event-compose'
import { type EventFor, type EventObject, eventDeclarationOf } from '@muster/contract/events/event-objects'
import { type BoundedMap, boundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'
import { idSource } from '../lib/secrets/id.ts'
import type { SqlTx, Tx } from '../store/sql.ts'
import {
  changeObject,
  changeText,
  changeTypeOf,
  mergeChanges,
  needsPeople,
  nobody,
  type People,
  type RecordChange,
  readPeople,
} from './event-changes.ts'
import { type EventRow, insertEvents, readSubscriptions, type Subscriptions } from './outbox-rows.ts'

/** Something to report: a change of a record, or an event of another kind. */
type Entry =
  | { readonly object: EventObject; readonly collection: Collection; readonly change: RecordChange }
  | { readonly object: EventObject; readonly compose: (id: string) => EventRow }

interface OrgEntries {
  entries: Entry[]
  /** Subscriptions that are being read, or were read in this transaction. */
  reading?: Promise<Subscriptions>
  subscriptions?: Subscriptions
}

/** State shared by the transactions of a store. */
export interface OutboxCache {
  readonly clock: Clock
  readonly newId: (nowMs: number) => string
  /** Subscriptions by organization, and the version at which they were read (`SqlTx.cacheVersion`). */
  readonly subscriptions: BoundedMap<
    number,
    { readonly subscriptions: Subscriptions; readonly version: number }
  >
}

const cachedOrganizations = 10_000

export const createOutboxCache = (clock: Clock): OutboxCache => ({
  clock,
  newId: idSource(),
  subscriptions: boundedMap(cachedOrganizations),
})

/** Number of entries per organization after which they are written. Until then, changes of one record become one event. */
const bufferedMaximum = 500

/** Collects the events of a transaction (events contract, section 1). */
export class Outbox {
  /** True once an event was written. */
  hasWritten = false
  /** Called with the IDs of written events, for tracing. */
  onWritten: ((eventIds: readonly string[]) => void) | undefined
  readonly #tx: SqlTx
  readonly #cache: OutboxCache
  readonly #orgs = new Map<number, OrgEntries>()
  #isMuted = false
  #redact: ((record: Readonly<Record<string, unknown>>) => unknown) | undefined

  constructor(tx: SqlTx, cache: OutboxCache) {
    this.#tx = tx
    this.#cache = cache
  }

  /** Reports no changes of records from here on, see {@link muteChanges}. */
  mute(): void {
    this.#isMuted = true
  }

  /** Redacts the `old` record of all events, see {@link redactOldRecords}. */
  redactOld(redact: (record: Readonly<Record<string, unknown>>) => unknown): void {
    this.#redact = redact
  }

  newId(nowMs: number): string {
    return this.#cache.newId(nowMs)
  }

  /**
   * Records a change of a record. Several changes of one record become one event.
   *
   * @returns a promise to wait for if the buffer is full
   */
  recordChange(collection: Collection, org: number, change: RecordChange): Promise<void> | undefined {
    if (this.#isMuted) return undefined
    const object = changeObject(collection, change.after ?? change.before)
    if (object === undefined) return undefined
    const state = this.#entriesOf(org)
    if (state.subscriptions && !state.subscriptions.has(object)) return undefined
    // A change without an event is dropped, unless it may complete one that was recorded before.
    if (state.entries.length === 0 && changeTypeOf(change) === undefined) return undefined
    // Starts the query now; its result is needed at the flush.
    void this.#subscriptionsOf(org, state)
    return this.#add(org, state, { object, collection, change })
  }

  /** @param compose called only if an endpoint subscribes to the object */
  emit(org: number, object: EventObject, compose: (id: string) => EventRow): Promise<void> | undefined {
    const state = this.#entriesOf(org)
    if (state.subscriptions && !state.subscriptions.has(object)) return undefined
    return this.#add(org, state, { object, compose })
  }

  async hasSubscribers(org: number, objects: readonly EventObject[]): Promise<boolean> {
    if (this.#isMuted) return false
    const subscriptions = await this.#subscriptionsOf(org, this.#entriesOf(org))
    return objects.some((object) => subscriptions.has(object))
  }

  /** Writes the recorded events. Called by the unit of work. */
  async flush(): Promise<void> {
    for (const [org, state] of this.#orgs) await this.#write(org, state)
  }

  #entriesOf(org: number): OrgEntries {
    const known = this.#orgs.get(org)
    if (known) return known
    const state: OrgEntries = { entries: [] }
    const version = this.#tx.cacheVersion()
    const cached = version === undefined ? undefined : this.#cache.subscriptions.get(org)
    if (cached && cached.version === version) state.subscriptions = cached.subscriptions
    this.#orgs.set(org, state)
    return state
  }

  #add(org: number, state: OrgEntries, entry: Entry): Promise<void> | undefined {
    state.entries.push(entry)
    if (state.entries.length < bufferedMaximum) return undefined
    const written = this.#write(org, state)
    // The caller waits for it later. If the transaction fails before, that error is the cause.
    written.catch(() => undefined)
    return written
  }

  /** Reads the subscriptions once per transaction. */
  #subscriptionsOf(org: number, state: OrgEntries): Promise<Subscriptions> {
    if (state.subscriptions) return Promise.resolve(state.subscriptions)
    if (state.reading) return state.reading
    const version = this.#tx.cacheVersion()
    const reading = readSubscriptions(this.#tx, org).then((subscriptions) => {
      state.subscriptions = subscriptions
      if (version !== undefined) this.#cache.subscriptions.set(org, { subscriptions, version })
      return subscriptions
    })
    // If the transaction fails meanwhile, that error is the cause.
    reading.catch(() => undefined)
    state.reading = reading
    return reading
  }

  async #write(org: number, state: OrgEntries): Promise<void> {
    const { entries } = state
    if (entries.length === 0) return
    state.entries = []
    const nowMs = this.#cache.clock.nowMs()
    const subscriptions = state.subscriptions ?? (await this.#subscriptionsOf(org, state))
    const subscribed = entries.filter(({ object }) => subscriptions.has(object))
    const naming = subscribed.flatMap((entry) =>
      'change' in entry && needsPeople(entry.object) ? [entry.change] : [],
    )
    // Redaction means that a person is being erased: the events name nobody, even before all records are gone.
    const people = naming.length === 0 || this.#redact ? nobody : await readPeople(this.#tx, org, naming)
    const events = this.#eventsOf(subscribed, nowMs, people)
    if (events.length === 0) return
    this.hasWritten = true
    this.onWritten?.(events.map(({ id }) => id))
    await insertEvents(this.#tx, org, events, subscriptions, nowMs)
  }

  /** Composes the events of entries: one for each record, in the position of its first change. */
  #eventsOf(entries: readonly Entry[], nowMs: number, people: People): EventRow[] {
    if (entries.length < 2) return entries.flatMap((entry) => this.#eventOf(entry, nowMs, people) ?? [])
    const merged = new Map<Entry | string, Entry>()
    for (const entry of entries) {
      if ('compose' in entry) {
        merged.set(entry, entry)
        continue
      }
      const key = `${entry.collection.name} ${entry.change.id}`
      const before = merged.get(key)
      merged.set(
        key,
        before && 'change' in before
          ? { ...entry, change: mergeChanges(before.change, entry.change) }
          : entry,
      )
    }
    return [...merged.values()].flatMap((entry) => this.#eventOf(entry, nowMs, people) ?? [])
  }

  #eventOf(entry: Entry, nowMs: number, people: People): EventRow | undefined {
    if ('compose' in entry) return entry.compose(this.newId(nowMs))
    const { object, change } = entry
    const type = changeTypeOf(change)
    if (type === undefined) return undefined
    const id = this.newId(nowMs)
    const timestamp = Math.floor(nowMs / 1000)
    const old = change.before && this.#redact ? this.#redact(change.before) : change.before
    const body = changeText(object, { id, timestamp, type, change, old, people })
    return eventRow(object, id, timestamp, body)
  }
}

const eventRow = (object: EventObject, id: string, timestamp: number, body: string): EventRow => ({
  id,
  timestamp,
  object,
  category: eventDeclarationOf(object).category,
  body,
})

/** Records a change of a record, see {@link Outbox.recordChange}. */
export const recordChange = (
  tx: Tx,
  collection: Collection,
  org: number,
  change: RecordChange,
): Promise<void> | undefined => tx.unit.outbox.recordChange(collection, org, change)

/** Facts of an event that is not a change of a record. */
export interface EventFacts<O extends EventObject> {
  /** Time of the event; UNIX seconds. */
  readonly timestamp: number
  readonly new: EventFor<O>['new']
}

/**
 * Emits an event that is not a change of a record. It is composed only if an endpoint subscribes to it.
 *
 * @returns a promise to wait for if the buffer is full
 */
export const emitEvent = <O extends EventObject>(
  tx: Tx,
  org: number,
  object: O,
  facts: EventFacts<O>,
): Promise<void> | undefined =>
  tx.unit.outbox.emit(org, object, (id) => {
    const event = composeEvent(object, { ...facts, id } as unknown as EventInput<EventFor<O>>)
    return eventRow(object, id, facts.timestamp, JSON.stringify(event))
  })

/**
 * Emits an event that is already composed.
 *
 * @param event `body` is sent unchanged
 * @returns a promise to wait for if the buffer is full
 */
export const emitComposedEvent = (
  tx: Tx,
  org: number,
  object: EventObject,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Promise<void> | undefined => tx.unit.outbox.emit(org, object, () => eventRow(object, id, timestamp, body))

/** Returns an ID for an event that is composed elsewhere. All IDs come from one source, because they define the order. */
export const newEventId = (tx: Tx, nowMs: number): string => tx.unit.outbox.newId(nowMs)

/** Returns true if an endpoint subscribes to one of the objects. Otherwise the facts of their events need not be collected. */
export const hasSubscribers = (tx: Tx, org: number, objects: readonly EventObject[]): Promise<boolean> =>
  tx.unit.outbox.hasSubscribers(org, objects)

/** Emits no events for changes of records in this transaction: for work that restores what is already known. */
export const muteChanges = (tx: Tx): void => tx.unit.outbox.mute()

/** Redacts the `old` record in all events of this transaction, for example when a person is erased. */
export const redactOldRecords = (
  tx: Tx,
  redact: (record: Readonly<Record<string, unknown>>) => unknown,
): void => tx.unit.outbox.redactOld(redact)
