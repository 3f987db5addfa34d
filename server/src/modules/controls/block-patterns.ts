import { type BlockedUrl, blockedUrls, blockedUrlsMaximum } from '@muster/contract/blocked-url'
import { invalidRequest } from '@muster/contract/errors'
import type { Actor } from '@muster/contract/event-actor'
import { recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { blockedUrlAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import { countRecords } from '../../kernel/store/count.ts'
import { indexedText } from '../../kernel/store/indexed-text.ts'
import { getRecordsByValues, insertRecords } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'

/** The records of patterns, and how many of them are new. */
export interface Blocked {
  /** One for each pattern, in the same order. */
  readonly records: readonly BlockedUrl[]
  readonly added: number
}

/**
 * Blocks patterns, which must be in their one form; those that are blocked already stay as they are. Browsers hear of
 * it if any is new.
 *
 * @throws ApiError invalid_request if there would be too many: then none is added
 */
export async function blockPatterns(
  tx: Tx,
  { org, nowSeconds, makeId, actor }: { org: number; nowSeconds: number; makeId(): string; actor: Actor },
  patterns: readonly string[],
): Promise<Blocked> {
  await tx.lock(`blocked-urls ${org}`)
  const known = await getRecordsByValues(tx, blockedUrls, org, 'url', patterns.map(indexedText))
  const byPattern = new Map(known.map(({ record }) => [record.url, record]))
  const made: BlockedUrl[] = []
  for (const url of patterns) {
    if (byPattern.has(url)) continue
    const record = { id: makeId(), url, creationTimestamp: nowSeconds }
    byPattern.set(url, record)
    made.push(record)
  }
  if (made.length > 0) {
    await requireRoom(tx, org, made.length)
    const rows = made.map((record) => ({ id: record.id, record, createdAtSeconds: nowSeconds }))
    await insertRecords(tx, blockedUrls, org, rows)
    await bumpPolicyRevision(tx, org, nowSeconds)
    const acts = blockedUrlAuditEvents(made.map((after) => ({ before: null, after })))
    await recordAuditEvents(tx, org, { actor, timestamp: nowSeconds }, acts)
  }
  return { records: patterns.flatMap((url) => byPattern.get(url) ?? []), added: made.length }
}

/** Returns true for a canonical pattern that is blocked already. */
export const isBlocked = async (tx: Tx, org: number, pattern: string): Promise<boolean> =>
  (await getRecordsByValues(tx, blockedUrls, org, 'url', [indexedText(pattern)])).some(
    ({ record }) => record.url === pattern,
  )

async function requireRoom(tx: Tx, org: number, more: number): Promise<void> {
  const over = (await countRecords(tx, blockedUrls, org)) + more - blockedUrlsMaximum
  if (over <= 0) return
  const message = `would be ${over === 1 ? 'one' : over} too many: an organization has at most ${blockedUrlsMaximum} blocked URLs`
  throw invalidRequest([{ in: 'body', name: 'url', message }])
}
