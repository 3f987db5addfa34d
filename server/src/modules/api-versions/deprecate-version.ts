import type { ApiVersion } from '@muster/contract/notice'
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

/** What a message about dates is made of. */
export interface DeprecationFacts extends DeprecationDates {
  readonly version: ApiVersion
  /** The dates that were announced before and do not hold any more. */
  readonly replaced: DeprecationDates | null
}

/** What came of setting dates: with mistakes, nothing was done. */
export interface DeprecationChange {
  readonly mistakes: readonly DateMistake[]
  /** The dates before. */
  readonly before: ApiDeprecationRow | undefined
  /** False for the same dates once more: nobody is told again. */
  readonly changed: boolean
  /** To how many people messages were queued. */
  readonly told: number
}

const planFor = (
  org: number,
  address: string,
  { noticeId, version, deprecationTimestamp, sunsetTimestamp }: ApiDeprecationRow,
  replaced: DeprecationDates | null,
): NewNotice => {
  const facts: DeprecationFacts = { version, deprecationTimestamp, sunsetTimestamp, replaced }
  return { org, kind: 'API_DEPRECATED', subject: noticeId, address, facts }
}

/**
 * Sets the date from which a version of the API is deprecated, and queues one message to each holder of a key that works,
 * in one transaction: dates without messages, or messages without dates, there are none. Messages of earlier dates that
 * nobody was given yet are dropped.
 *
 * @param noticeId names this announcement
 */
export async function deprecateVersion(
  tx: Tx,
  plan: DeprecationDates & { readonly version: ApiVersion; readonly noticeId: string },
  nowMs: number,
): Promise<DeprecationChange> {
  await lockApiDeprecations(tx)
  const nowSeconds = Math.floor(nowMs / 1000)
  const before = await findApiDeprecation(tx, plan.version)
  if (sameDates(before, plan)) return { mistakes: [], before, changed: false, told: 0 }
  const mistakes = dateMistakes(plan, before, nowSeconds)
  if (mistakes.length > 0) return { mistakes, before, changed: false, told: 0 }
  const row = { ...plan, changedTimestamp: nowSeconds }
  await putApiDeprecation(tx, row)
  if (before) await deleteUnsentNotices(tx, 'API_DEPRECATED', before.noticeId)
  const replaced = before
    ? { deprecationTimestamp: before.deprecationTimestamp, sunsetTimestamp: before.sunsetTimestamp }
    : null
  const holders = await activeHolders(tx, nowSeconds)
  const plans = holders.map(({ org, holder }) => planFor(org, holder, row, replaced))
  return { mistakes: [], before, changed: true, told: await queueNotices(tx, plans, nowMs) }
}

/** Takes the dates of a version back. Whoever was told of them, or may have been, is told of that. */
export async function withdrawDeprecation(
  tx: Tx,
  version: ApiVersion,
  nowMs: number,
): Promise<Pick<DeprecationChange, 'before' | 'told'>> {
  await lockApiDeprecations(tx)
  const before = await findApiDeprecation(tx, version)
  if (!before) return { before, told: 0 }
  await removeApiDeprecation(tx, version)
  await deleteUnsentNotices(tx, 'API_DEPRECATED', before.noticeId)
  const told = await listSentNotices(tx, 'API_DEPRECATED', before.noticeId)
  const plans = told.map(({ org, address, facts }): NewNotice => {
    const kind = 'API_DEPRECATION_WITHDRAWN'
    return { org, kind, subject: before.noticeId, address, facts: JSON.parse(facts) as DeprecationFacts }
  })
  return { before, told: await queueNotices(tx, plans, nowMs) }
}

/**
 * Tells the holder of a key that was just made of the dates that are in force, unless they have been told. Call it in the
 * transaction that makes the key, before the key is written.
 */
export async function tellHolderOfDeprecations(
  tx: Tx,
  org: number,
  holder: string,
  nowMs: number,
): Promise<void> {
  await lockApiDeprecations(tx)
  const rows = await listApiDeprecations(tx)
  await queueNotices(
    tx,
    rows.map((row) => planFor(org, holder, row, null)),
    nowMs,
  )
}

/**
 * Whoever holds a key that works, of one organization or of all, each once for each; the same address in another case is
 * the same person.
 */
export async function activeHolders(
  db: Reader,
  nowSeconds: number,
  org?: number,
): Promise<{ org: number; holder: string }[]> {
  const keys = await listActiveApiKeys(db, nowSeconds, org)
  const byHolder = Map.groupBy(keys, ({ org, holder }) => `${org}:${foldCase(holder)}`)
  return [...byHolder.values()].flatMap(([first]) => (first ? { org: first.org, holder: first.holder } : []))
}
