import { accounts, usedBy } from '@muster/contract/account'
import { accountsOther } from '@muster/contract/account-other'
import { apps } from '@muster/contract/app'
import { appsOther } from '@muster/contract/app-other'
import { browserExtensions } from '@muster/contract/browser-extension'
import type { Collection, RecordOf } from '@muster/contract/collection'
import { detections } from '@muster/contract/detection'
import { findings } from '@muster/contract/finding'
import { isDerivedFrom, isDerivedId } from '../../kernel/lib/secrets/derived-id.ts'
import { idsCreatedAtMs } from '../../kernel/store/derived-rows.ts'
import { getRecordsByIds, recordsWhere, removeRecord, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { timeFindingParts } from '../findings/time-findings.ts'
import { idParts, type MadeKind } from './batch-context.ts'
import type { KeptBatch } from './raw-events.service.ts'

/** A collection that ingest fills. */
interface Made<R = unknown> {
  readonly collection: Collection
  /** Whether a batch of its millisecond has made a record. */
  isOf(stored: Stored<R>, batch: KeptBatch): boolean
  /** The column by which events find a record, and its value, where an import may have brought another with the same. */
  foundBy?(stored: Stored<R>): readonly [column: string, value: string]
}

const made = <C extends Collection>(
  collection: C,
  how: Omit<Made<RecordOf<C>>, 'collection'>,
): Made<never> => ({ collection, ...how })

const isOfEvent = (id: string, batch: KeptBatch, kind: MadeKind, key: string): boolean =>
  batch.events.some((event) => isDerivedFrom(id, batch.receivedMs, idParts(batch, event, kind, key)))

/** What events find by a column, the value of which their ids are made of. */
const byColumn = <C extends Collection>(
  collection: C,
  kind: MadeKind,
  column: string,
  keyOf: (stored: Stored<RecordOf<C>>) => string,
): Made<never> =>
  made(collection, {
    isOf: (stored, batch) => isOfEvent(stored.id, batch, kind, keyOf(stored)),
    foundBy: (stored) => [column, keyOf(stored)],
  })

const loginKeyIn = ({ internal }: Stored<unknown>): string => String(internal.loginKey)

const observedWith = ({ record, internal }: Stored<{ employeeId: string | null }>): string =>
  String(internal.owner ?? record.employeeId)

const mades = [
  byColumn(apps, 'app', 'type', ({ record }) => record.type),
  byColumn(appsOther, 'appOther', 'domainKey', ({ record }) => record.domain),
  byColumn(accounts, 'account', 'loginKey', loginKeyIn),
  byColumn(accountsOther, 'accountOther', 'loginKey', loginKeyIn),
  made(browserExtensions, {
    isOf: ({ id, record }, batch) => isOfEvent(id, batch, 'browserExtension', record.extensionId),
  }),
  made(findings, {
    isOf: (stored, batch) => {
      const { type, accountId } = stored.record
      return (
        isOfEvent(stored.id, batch, 'finding', `${type} ${accountId ?? observedWith(stored)}`) ||
        isDerivedFrom(stored.id, batch.receivedMs, timeFindingParts(batch.org, type, String(accountId)))
      )
    },
  }),
  // Not every detection tells what its id was made of; but a browser of its employee has reported in that millisecond.
  made(detections, { isOf: (stored, batch) => observedWith(stored) === batch.employeeId }),
] as readonly Made[]

/**
 * Removes the records that a batch of kept events has made, or an act that is kept among them, and says how many there
 * were. What no kept event has made is never removed, whoever has derived its id, and whenever. Nor is one of several that
 * events find by the same: they would find the other from then on.
 */
export async function removeMade(tx: Tx, batch: KeptBatch): Promise<number> {
  const { org, receivedMs } = batch
  const collections = mades.map(({ collection }) => collection)
  const ids = await idsCreatedAtMs(tx, collections, org, receivedMs)
  let removed = 0
  for (const [at, { collection, isOf, foundBy }] of mades.entries()) {
    const derived = (ids[at] ?? []).filter(isDerivedId)
    if (derived.length === 0) continue
    for (const stored of await getRecordsByIds(tx, collection, org, derived)) {
      if (!isOf(stored, batch)) continue
      if (foundBy && (await recordsWhere(tx, collection, org, ...foundBy(stored))).length > 1) continue
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
