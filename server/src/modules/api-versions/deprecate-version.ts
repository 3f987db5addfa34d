import type { ApiVersion } from '@muster/contract/records/notice'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { listActiveApiKeys } from '../api-keys/api-keys.service.ts'
import {
  deleteUnsentNotices,
  listSentNotices,
  type NewNotice,
  queueNotices,
} from '../notices/notices.service.ts'
import {
  type ApiDeprecationRow,
  findApiDeprecation,
  listApiDeprecations,
  lockApiDeprecations,
  putApiDeprecation,
  removeApiDeprecation,
} from './api-deprecations.service.ts'
import { type DateMistake, type DeprecationDates, dateMistakes, sameDates } from './deprecation.rules.ts'

/** Data of a message about deprecation dates. */
export interface DeprecationFacts extends DeprecationDates {
  readonly version: ApiVersion
  /** Earlier announced dates that these replace. */
  readonly replaced: DeprecationDates | null
}

/** Result of setting dates. With mistakes, nothing was changed. */
export interface DeprecationChange {
  readonly mistakes: readonly DateMistake[]
  /** The previous dates. */
  readonly before: ApiDeprecationRow | undefined
  /** False if the dates were set already. */
  readonly changed: boolean
  /** Number of queued messages. */
  readonly notified: number
}

const deprecationNotice = (
  org: number,
  address: string,
  { noticeId, version, deprecationTimestamp, sunsetTimestamp }: ApiDeprecationRow,
  replaced: DeprecationDates | null,
): NewNotice => {
  const facts: DeprecationFacts = { version, deprecationTimestamp, sunsetTimestamp, replaced }
  return { org, kind: 'API_DEPRECATED', subject: noticeId, address, facts }
}

/**
 * Sets the deprecation dates of an API version and queues one message to each holder of an active key in the same
 * transaction. Deletes unsent messages about earlier dates.
 */
export async function deprecateVersion(
  tx: Tx,
  announcement: DeprecationDates & { readonly version: ApiVersion; readonly noticeId: string },
  nowMs: number,
): Promise<DeprecationChange> {
  await lockApiDeprecations(tx)
  const nowSeconds = Math.floor(nowMs / 1000)
  const before = await findApiDeprecation(tx, announcement.version)
  if (sameDates(before, announcement)) return { mistakes: [], before, changed: false, notified: 0 }
  const mistakes = dateMistakes(announcement, before, nowSeconds)
  if (mistakes.length > 0) return { mistakes, before, changed: false, notified: 0 }
  const row = { ...announcement, changedTimestamp: nowSeconds }
  await putApiDeprecation(tx, row)
  if (before) await deleteUnsentNotices(tx, 'API_DEPRECATED', before.noticeId)
  const replaced = before
    ? { deprecationTimestamp: before.deprecationTimestamp, sunsetTimestamp: before.sunsetTimestamp }
    : null
  const holders = await activeHolders(tx, nowSeconds)
  const notices = holders.map(({ org, holder }) => deprecationNotice(org, holder, row, replaced))
  return { mistakes: [], before, changed: true, notified: await queueNotices(tx, notices, nowMs) }
}

/** Withdraws the dates of a version and notifies everyone who was or may have been notified of them. */
export async function withdrawDeprecation(
  tx: Tx,
  version: ApiVersion,
  nowMs: number,
): Promise<Pick<DeprecationChange, 'before' | 'notified'>> {
  await lockApiDeprecations(tx)
  const before = await findApiDeprecation(tx, version)
  if (!before) return { before, notified: 0 }
  await removeApiDeprecation(tx, version)
  await deleteUnsentNotices(tx, 'API_DEPRECATED', before.noticeId)
  const sent = await listSentNotices(tx, 'API_DEPRECATED', before.noticeId)
  const notices = sent.map(({ org, address, facts }): NewNotice => {
    const kind = 'API_DEPRECATION_WITHDRAWN'
    return { org, kind, subject: before.noticeId, address, facts: JSON.parse(facts) as DeprecationFacts }
  })
  return { before, notified: await queueNotices(tx, notices, nowMs) }
}

/**
 * Notifies the holder of a new key of current deprecations, unless they were notified already. Call it in the transaction
 * that creates the key, before the key is inserted.
 */
export async function notifyHolderOfDeprecations(
  tx: Tx,
  org: number,
  holder: string,
  nowMs: number,
): Promise<void> {
  await lockApiDeprecations(tx)
  const rows = await listApiDeprecations(tx)
  await queueNotices(
    tx,
    rows.map((row) => deprecationNotice(org, holder, row, null)),
    nowMs,
  )
}

/** Lists the holders of active keys of one or all organizations, once per organization, ignoring case. */
export async function activeHolders(
  db: Reader,
  nowSeconds: number,
  org?: number,
): Promise<{ org: number; holder: string }[]> {
  const keys = await listActiveApiKeys(db, nowSeconds, org)
  const byHolder = Map.groupBy(keys, ({ org, holder }) => `${org}:${foldCase(holder)}`)
  return [...byHolder.values()].flatMap(([first]) => (first ? { org: first.org, holder: first.holder } : []))
}
