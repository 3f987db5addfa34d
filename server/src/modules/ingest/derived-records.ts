import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { accounts, usedBy } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { findings } from '@muster/contract/records/finding'
import { isDerivedFrom, isDerivedId } from '../../kernel/lib/secrets/derived-id.ts'
import { idsCreatedAtMs } from '../../kernel/store/derived-rows.ts'
import { getRecordsByIds, recordsWhere, removeRecord, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { timeFindingIdParts } from '../findings/time-findings.ts'
import { type DerivedKind, derivedIdParts } from './batch-context.ts'
import type { StoredBatch } from './raw-events.service.ts'

/** Collection that the projection of events fills. */
interface DerivedCollection<R = unknown> {
  readonly collection: Collection
  /** True if a batch, received in the millisecond of the record's ID, created the record. */
  isFrom(stored: Stored<R>, batch: StoredBatch): boolean
  /**
   * Column and value by which the projection looks records up. An import may have added another record with
   * the same value.
   */
  lookupKey?(stored: Stored<R>): readonly [column: string, value: string]
}

const derived = <C extends Collection>(
  collection: C,
  rules: Omit<DerivedCollection<RecordOf<C>>, 'collection'>,
): DerivedCollection<never> => ({ collection, ...rules })

const isFromEvent = (id: string, batch: StoredBatch, kind: DerivedKind, key: string): boolean =>
  batch.events.some((event) => isDerivedFrom(id, batch.receivedMs, derivedIdParts(batch, event, kind, key)))

/** Declares a collection whose records are looked up by a column that is also part of their derived IDs. */
const byColumn = <C extends Collection>(
  collection: C,
  kind: DerivedKind,
  column: string,
  keyOf: (stored: Stored<RecordOf<C>>) => string,
): DerivedCollection<never> =>
  derived(collection, {
    isFrom: (stored, batch) => isFromEvent(stored.id, batch, kind, keyOf(stored)),
    lookupKey: (stored) => [column, keyOf(stored)],
  })

const loginKeyIn = ({ internal }: Stored<unknown>): string => String(internal.loginKey)

const observedWith = ({ record, internal }: Stored<{ employeeId: string | null }>): string =>
  String(internal.owner ?? record.employeeId)

const derivedCollections = [
  byColumn(apps, 'app', 'type', ({ record }) => record.type),
  byColumn(appsOther, 'appOther', 'domainKey', ({ record }) => record.domain),
  byColumn(accounts, 'account', 'loginKey', loginKeyIn),
  byColumn(accountsOther, 'accountOther', 'loginKey', loginKeyIn),
  derived(browserExtensions, {
    isFrom: ({ id, record }, batch) => isFromEvent(id, batch, 'browserExtension', record.extensionId),
  }),
  derived(findings, {
    isFrom: (stored, batch) => {
      const { type, accountId } = stored.record
      return (
        isFromEvent(stored.id, batch, 'finding', `${type} ${accountId ?? observedWith(stored)}`) ||
        isDerivedFrom(stored.id, batch.receivedMs, timeFindingIdParts(batch.org, type, String(accountId)))
      )
    },
  }),
  // The subject of a detection is stored as a hash, so its ID cannot be derived again. The employee has to
  // match instead.
  derived(detections, { isFrom: (stored, batch) => observedWith(stored) === batch.employeeId }),
] as readonly DerivedCollection[]

/**
 * Removes the records that a stored batch created, whether by events or by an operation. Records that no
 * stored event created are kept. So is a record that shares its lookup key with another: later events would
 * find the other one.
 *
 * @returns the number of removed records
 */
export async function removeDerivedRecords(tx: Tx, batch: StoredBatch): Promise<number> {
  const { org, receivedMs } = batch
  const collections = derivedCollections.map(({ collection }) => collection)
  const ids = await idsCreatedAtMs(tx, collections, org, receivedMs)
  let removed = 0
  for (const [index, { collection, isFrom, lookupKey }] of derivedCollections.entries()) {
    const candidates = (ids[index] ?? []).filter(isDerivedId)
    if (candidates.length === 0) continue
    for (const stored of await getRecordsByIds(tx, collection, org, candidates)) {
      if (!isFrom(stored, batch)) continue
      if (lookupKey && (await recordsWhere(tx, collection, org, ...lookupKey(stored))).length > 1) continue
      if (collection === accounts) removed += await removeUses(tx, org, stored.id)
      await removeRecord(tx, collection, org, stored)
      removed += 1
    }
  }
  return removed
}

async function removeUses(tx: Tx, org: number, accountId: string): Promise<number> {
  const uses = await recordsWhere(tx, usedBy, org, 'accountId', accountId)
  for (const use of uses) await removeRecord(tx, usedBy, org, use)
  return uses.length
}
