import type { Collection, RecordOf } from '@muster/contract/collection'
import { allSettledOrThrow } from '../lib/all-settled.ts'
import { yieldToEventLoop } from '../lib/process/yield-to-event-loop.ts'
import { insertRecords, type Privates, type Stored, updateRecord } from './records.ts'
import type { Param, Tx } from './sql.ts'

/**
 * A record as it will be when the transaction ends. What many decisions change, one after the other, is written once,
 * and only if it differs from what is stored.
 */
export interface Draft<R> {
  readonly id: string
  /** As it is stored; undefined for a new one. */
  readonly stored: Stored<R> | undefined
  record: R
  privates: Readonly<Record<string, Param>>
  unlisted: boolean
}

/** A draft of what is stored. */
export const draftOf = <R>(stored: Stored<R>): Draft<R> => ({
  id: stored.id,
  stored,
  record: stored.record,
  privates: stored.privates,
  unlisted: stored.unlisted,
})

/** A draft of a new record. */
export const newDraft = <R>(id: string, record: R, privates: Privates = {}): Draft<R> => ({
  id,
  stored: undefined,
  record,
  privates,
  unlisted: false,
})

/** Writes what is new, in the order given, and what has changed. */
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
    added.map(({ id, record, privates, unlisted }) => ({ id, record, privates, unlisted, createdAtSeconds })),
  )
  const changes = all.flatMap((draft) => changeOf(draft) ?? [])
  for (let from = 0; from < changes.length; from += updatesPerTurn) {
    if (from > 0) await yieldToEventLoop()
    // Sent together, where the store is at the other end of a connection.
    const part = changes.slice(from, from + updatesPerTurn)
    await allSettledOrThrow(
      part.map(({ stored, change }) => updateRecord(tx, collection, org, stored, change)),
    )
  }
}

/** After so many, other requests run. */
const updatesPerTurn = 50

function changeOf<R>({ stored, record, privates, unlisted }: Draft<R>) {
  if (stored === undefined) return undefined
  const changed = changedPrivates(stored.privates, privates)
  if (record === stored.record && unlisted === stored.unlisted && changed === undefined) return undefined
  return { stored, change: { record, privates: changed ?? {}, unlisted } }
}

function changedPrivates(before: Privates, after: Privates): Privates | undefined {
  const changed = Object.entries(after).filter(([name, value]) => (before[name] ?? null) !== value)
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}
