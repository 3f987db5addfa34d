import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { allSettledOrThrow } from '../lib/all-settled.ts'
import { yieldToEventLoop } from '../lib/process/yield-to-event-loop.ts'
import { type InternalColumns, insertRecords, type Stored, updateRecord } from './records.ts'
import type { Param, Tx } from './sql.ts'

/**
 * A record as it will be at the end of a transaction. Several rules can change it in turn; it is written once, and only if it
 * differs from the stored record.
 */
export interface Draft<R> {
  readonly id: string
  /** The stored record; undefined for a new one. */
  readonly stored: Stored<R> | undefined
  record: R
  internal: Readonly<Record<string, Param>>
  hidden: boolean
}

/** Returns a draft of a stored record. */
export const draftOf = <R>(stored: Stored<R>): Draft<R> => ({
  id: stored.id,
  stored,
  record: stored.record,
  internal: stored.internal,
  hidden: stored.hidden,
})

/** Returns a draft of a new record. */
export const newDraft = <R>(id: string, record: R, internal: InternalColumns = {}): Draft<R> => ({
  id,
  stored: undefined,
  record,
  internal,
  hidden: false,
})

/** Writes the new records, in the given order, and the changed ones. */
export async function writeDrafts<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  drafts: Iterable<Draft<RecordOf<C>>>,
  createdAtSeconds: number,
): Promise<void> {
  const all = [...drafts]
  const added = all.filter(({ stored }) => stored === undefined)
  await insertRecords(
    tx,
    collection,
    org,
    added.map(({ id, record, internal, hidden }) => ({ id, record, internal, hidden, createdAtSeconds })),
  )
  const changes = all.flatMap((draft) => changeOf(draft) ?? [])
  for (let from = 0; from < changes.length; from += updatesPerChunk) {
    if (from > 0) await yieldToEventLoop()
    // Sent without waiting for each one, which saves round trips to PostgreSQL.
    const part = changes.slice(from, from + updatesPerChunk)
    await allSettledOrThrow(
      part.map(({ stored, change }) => updateRecord(tx, collection, org, stored, change)),
    )
  }
}

/** Other requests run after this many updates. */
const updatesPerChunk = 50

function changeOf<R>({ stored, record, internal, hidden }: Draft<R>) {
  if (stored === undefined) return undefined
  const changed = changedInternalColumns(stored.internal, internal)
  if (record === stored.record && hidden === stored.hidden && changed === undefined) return undefined
  return { stored, change: { record, internal: changed ?? {}, hidden } }
}

function changedInternalColumns(
  before: InternalColumns,
  after: InternalColumns,
): InternalColumns | undefined {
  const changed = Object.entries(after).filter(([name, value]) => (before[name] ?? null) !== value)
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}
