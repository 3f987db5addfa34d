import { invalidRequest } from '@muster/contract/api/errors'
import type { Actor } from '@muster/contract/events/event-actor'
import { type BlockedUrl, blockedUrls, blockedUrlsMaximum } from '@muster/contract/records/blocked-url'
import { recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { blockedUrlAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import { countRecords } from '../../kernel/store/count.ts'
import { getRecordsByValues, insertRecords } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { indexedText } from '../../kernel/store/tables.ts'

export interface Blocked {
  /** One record per pattern, in the same order. */
  readonly records: readonly BlockedUrl[]
  readonly added: number
}

/**
 * Blocks canonical patterns; patterns that are already blocked stay unchanged. Updates the policy if any
 * pattern is new.
 *
 * @throws ApiError invalid_request if the limit is exceeded; then none is added
 */
export async function blockPatterns(
  tx: Tx,
  { org, nowSeconds, makeId, actor }: { org: number; nowSeconds: number; makeId(): string; actor: Actor },
  patterns: readonly string[],
): Promise<Blocked> {
  await tx.lock(`blocked-urls ${org}`)
  const known = await getRecordsByValues(tx, blockedUrls, org, 'url', patterns.map(indexedText))
  const byPattern = new Map(known.map(({ record }) => [record.url, record]))
  const newRecords: BlockedUrl[] = []
  for (const url of patterns) {
    if (byPattern.has(url)) continue
    const record = { id: makeId(), url, creationTimestamp: nowSeconds }
    byPattern.set(url, record)
    newRecords.push(record)
  }
  if (newRecords.length > 0) {
    await checkLimit(tx, org, newRecords.length)
    const rows = newRecords.map((record) => ({ id: record.id, record, createdAtSeconds: nowSeconds }))
    await insertRecords(tx, blockedUrls, org, rows)
    await bumpPolicyRevision(tx, org, nowSeconds)
    const acts = blockedUrlAuditEvents(newRecords.map((after) => ({ before: null, after })))
    await recordAuditEvents(tx, org, { actor, timestamp: nowSeconds }, acts)
  }
  return { records: patterns.flatMap((url) => byPattern.get(url) ?? []), added: newRecords.length }
}

/** Returns true if a canonical pattern is already blocked. */
export const isBlocked = async (tx: Tx, org: number, pattern: string): Promise<boolean> =>
  (await getRecordsByValues(tx, blockedUrls, org, 'url', [indexedText(pattern)])).some(
    ({ record }) => record.url === pattern,
  )

async function checkLimit(tx: Tx, org: number, more: number): Promise<void> {
  const over = (await countRecords(tx, blockedUrls, org)) + more - blockedUrlsMaximum
  if (over <= 0) return
  const message = `exceeds the limit by ${over}: an organization can have at most ${blockedUrlsMaximum} blocked URLs`
  throw invalidRequest([{ in: 'body', name: 'url', message }])
}
