import type { NoticeKind, NoticeState } from '@muster/contract/records/notice'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { internalId } from '../../kernel/lib/secrets/derived-id.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** A stored message to a person. Its text is rendered when it is sent. */
export interface NoticeRow {
  org: number
  id: string
  kind: NoticeKind
  /** Identifies the occasion. Unique together with organization, kind and address. */
  subject: string
  address: string
  /** Data of the text, as JSON. */
  facts: string
  state: NoticeState
  attempts: number
  dueMs: number
  way: 'SMTP' | 'FILE' | null
  lastError: string | null
  creationTimestamp: number
  lastAttemptTimestamp: number | null
  sentTimestamp: number | null
}

/** A message to queue. */
export type NewNotice = Pick<NoticeRow, 'org' | 'kind' | 'subject' | 'address'> & { readonly facts: object }

const columns = `org, id, kind, subject, address, facts, state, attempts, due_ms AS "dueMs", way, last_error AS "lastError",
  creation_timestamp AS "creationTimestamp", last_attempt_timestamp AS "lastAttemptTimestamp", sent_timestamp AS "sentTimestamp"`

/**
 * Queues messages in the transaction of the change they report. Ignores a message that exists with the same subject and
 * address (case-insensitive). Its ID, and thereby its Message-ID, is derived from these.
 *
 * @returns the number of new messages
 */
export async function queueNotices(tx: Tx, notices: readonly NewNotice[], nowMs: number): Promise<number> {
  if (notices.length === 0) return 0
  const nowSeconds = Math.floor(nowMs / 1000)
  const rows = notices.map(({ org, kind, subject, address, facts }) => [
    org,
    internalId(nowMs, ['notice', org, kind, subject, foldCase(address)]),
    kind,
    subject,
    address,
    foldCase(address),
    JSON.stringify(facts),
    'PENDING',
    0,
    nowMs,
    nowSeconds,
  ])
  const names =
    'org id kind subject address address_key facts state attempts due_ms creation_timestamp'.split(' ')
  return tx.insert('notices', names, rows, 'ON CONFLICT DO NOTHING')
}

/** Returns the time of the last request to an employee that did not fail; undefined if there was none. */
export async function lastRequestTimestamp(
  db: Reader,
  org: number,
  employeeId: string,
): Promise<number | undefined> {
  const row = await db.get<{ last: number | null }>(
    `SELECT max(creation_timestamp) AS last FROM notices
     WHERE org = ? AND kind = 'FINDINGS_REQUEST' AND subject > ? AND subject < ? AND state <> 'FAILED'`,
    [org, `${employeeId} `, `${employeeId}!`],
  )
  return row?.last ?? undefined
}

/** A key that expires soon. */
export interface ExpiringKey {
  readonly org: number
  readonly id: string
  readonly holder: string
  readonly name: string
  readonly start: string
  readonly expiryTimestamp: number
}

/** Returns the subject of a message about an expiring key: key and expiry. */
export const expirySubject = ({ id, expiryTimestamp }: Pick<ExpiringKey, 'id' | 'expiryTimestamp'>): string =>
  `${id} ${expiryTimestamp}`

/** Lists the keys of all organizations that expire within a period and have no notice yet. */
export const listExpiringKeysWithoutNotice = (
  db: Reader,
  afterSeconds: number,
  untilSeconds: number,
): Promise<ExpiringKey[]> =>
  db.all<ExpiringKey>(
    `SELECT org, id, holder, name, start, expiry_timestamp AS "expiryTimestamp" FROM api_keys AS k
     WHERE revoked_timestamp IS NULL AND expiry_timestamp > ? AND expiry_timestamp <= ? AND NOT EXISTS (
       SELECT 1 FROM notices AS n WHERE n.org = k.org AND n.kind = 'KEY_EXPIRES' AND n.subject = k.id || ' ' || k.expiry_timestamp)`,
    [afterSeconds, untilSeconds],
  )

/** Deletes the unsent messages of a kind and subject. One that is being prepared is not sent. */
export const deleteUnsentNotices = (tx: Tx, kind: NoticeKind, subject: string): Promise<number> =>
  tx.run("DELETE FROM notices WHERE kind = ? AND subject = ? AND state IN ('PENDING', 'FAILED')", [
    kind,
    subject,
  ])

/** Lists the messages of a kind and subject that were delivered or may have been. */
export const listSentNotices = (db: Reader, kind: NoticeKind, subject: string): Promise<NoticeRow[]> =>
  db.all<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE kind = ? AND subject = ? AND state IN ('SENDING', 'SENT', 'IN_DOUBT')`,
    [kind, subject],
  )

/** True if a message is due or abandoned. Cheap enough to query every second. */
export const hasDueNotice = async (db: Reader, nowMs: number): Promise<boolean> =>
  (await db.get(
    `SELECT 1 AS one FROM notices WHERE state = 'PENDING' AND due_ms <= ?
     UNION ALL SELECT 1 AS one FROM notices WHERE state = 'SENDING' AND leased_until_ms <= ? LIMIT 1`,
    [nowMs, nowMs],
  )) !== undefined

/** A message with the lease of this process. */
export type LeasedNotice = NoticeRow & { readonly lease: string }
type LeaseKey = Pick<LeasedNotice, 'org' | 'id' | 'lease'>

/** Leases the messages that are due longest. Other processes cannot lease them until the lease expires. */
export async function leaseNotices(
  tx: Tx,
  { lease, untilMs, limit }: { readonly lease: string; readonly untilMs: number; readonly limit: number },
  nowMs: number,
): Promise<LeasedNotice[]> {
  const { forUpdate } = tx.dialect
  const rows = await tx.all<NoticeRow>(
    `SELECT ${columns} FROM notices
     WHERE state = 'PENDING' AND due_ms <= ? AND (leased_until_ms IS NULL OR leased_until_ms <= ?)
     ORDER BY due_ms LIMIT ?${forUpdate && `${forUpdate} SKIP LOCKED`}`,
    [nowMs, nowMs, limit],
  )
  for (const { org, id } of rows)
    await tx.run('UPDATE notices SET lease = ?, leased_until_ms = ? WHERE org = ? AND id = ?', [
      lease,
      untilMs,
      org,
      id,
    ])
  return rows.map((row) => ({ ...row, lease }))
}

/** Extends a lease. */
export async function renewLease(tx: Tx, { org, id, lease }: LeaseKey, untilMs: number): Promise<void> {
  await tx.run('UPDATE notices SET leased_until_ms = ? WHERE org = ? AND id = ? AND lease = ?', [
    untilMs,
    org,
    id,
    lease,
  ])
}

/**
 * Marks a message as being completed: if the process crashes from here on, the message is in doubt.
 *
 * @returns false if the lease was lost or the message was deleted; then it must not be completed
 */
export const markSending = async (
  tx: Tx,
  { org, id, lease }: LeaseKey,
  nowSeconds: number,
): Promise<boolean> =>
  (await tx.run(
    `UPDATE notices SET state = 'SENDING', attempts = attempts + 1, last_attempt_timestamp = ?
     WHERE org = ? AND id = ? AND lease = ? AND state = 'PENDING'`,
    [nowSeconds, org, id, lease],
  )) > 0

/** Outcome of an attempt. `counted` is true if {@link markSending} counted the attempt already. */
export type NoticeOutcome =
  | { readonly state: 'SENT'; readonly way: 'SMTP' | 'FILE'; readonly counted: boolean }
  | { readonly state: 'PENDING'; readonly error: string; readonly dueMs: number; readonly counted: boolean }
  | { readonly state: 'FAILED' | 'IN_DOUBT'; readonly error: string; readonly counted: boolean }

/** Stores the outcome of an attempt, even if another process marked the message as in doubt in the meantime. */
export async function settleNotice(
  tx: Tx,
  { org, id, lease }: LeaseKey,
  outcome: NoticeOutcome,
  nowSeconds: number,
): Promise<void> {
  const { state } = outcome
  const sent = state === 'SENT'
  // An attempt that ended before `markSending` is counted here.
  const increment = outcome.counted ? 0 : 1
  const sql = `UPDATE notices SET state = ?, attempts = attempts + ?, due_ms = ${state === 'PENDING' ? '?' : 'due_ms + ?'},
    way = ?, last_error = ?, last_attempt_timestamp = ?, sent_timestamp = ?, lease = NULL, leased_until_ms = NULL
    WHERE org = ? AND id = ? AND lease = ?`
  await tx.run(sql, [
    state,
    increment,
    state === 'PENDING' ? outcome.dueMs : 0,
    sent ? outcome.way : null,
    sent ? null : outcome.error,
    nowSeconds,
    sent ? nowSeconds : null,
    org,
    id,
    lease,
  ])
}

/** Deletes a leased message that is obsolete. */
export async function deleteNotice(tx: Tx, { org, id, lease }: LeaseKey): Promise<void> {
  await tx.run("DELETE FROM notices WHERE org = ? AND id = ? AND lease = ? AND state = 'PENDING'", [
    org,
    id,
    lease,
  ])
}

/**
 * Marks messages as in doubt whose process crashed while it completed them. The lease ID is kept: a process that was only
 * slow can still store the outcome.
 */
export const markAbandonedInDoubt = (tx: Tx, nowMs: number, reason: string): Promise<number> =>
  tx.run(
    "UPDATE notices SET state = 'IN_DOUBT', last_error = ? WHERE state = 'SENDING' AND leased_until_ms <= ?",
    [reason, nowMs],
  )

/** Upper limits of the times of a message. */
export interface MaxNoticeTimes {
  readonly dueMs: number
  readonly leasedUntilMs: number
}

/** Resets due times and leases beyond the limits, which a process with a wrong clock has set. */
export async function resetNoticeTimes(tx: Tx, latest: MaxNoticeTimes, nowMs: number): Promise<void> {
  await tx.run("UPDATE notices SET due_ms = ? WHERE state = 'PENDING' AND due_ms > ?", [nowMs, latest.dueMs])
  await tx.run(
    "UPDATE notices SET leased_until_ms = ? WHERE state IN ('PENDING', 'SENDING') AND leased_until_ms > ?",
    [nowMs, latest.leasedUntilMs],
  )
}

export const findNotice = (db: Reader, org: number, id: string): Promise<NoticeRow | undefined> =>
  db.get<NoticeRow>(`SELECT ${columns} FROM notices WHERE org = ? AND id = ?`, [org, id])

/** Lists the messages of an organization, unsent ones first, then newest first. */
export const listNoticeRows = (db: Reader, org: number, limit: number): Promise<NoticeRow[]> =>
  db.all<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE org = ?
     ORDER BY CASE WHEN state = 'SENT' THEN 1 ELSE 0 END, creation_timestamp DESC, id DESC LIMIT ?`,
    [org, limit],
  )

/** Lists messages of a kind whose subject starts with a text of letters, digits, hyphens and blanks, newest first. */
export const listNoticesAbout = (
  db: Reader,
  org: number,
  kind: NoticeKind,
  start: string,
  limit: number,
): Promise<NoticeRow[]> =>
  db.all<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE org = ? AND kind = ? AND subject >= ? AND subject < ? ORDER BY subject DESC, address LIMIT ?`,
    [org, kind, start, `${start}~`, limit],
  )

/** Counts messages by state, optionally of one organization or subject. */
export async function countNotices(
  db: Reader,
  { org = null, subject = null }: { org?: number | null; subject?: string | null },
): Promise<Partial<Record<NoticeState, number>>> {
  const conditions = [org === null ? [] : ['org = ?'], subject === null ? [] : ['subject = ?']].flat()
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const rows = await db.all<{ state: NoticeState; number: number }>(
    `SELECT state, count(*) AS number FROM notices ${where} GROUP BY state`,
    [org, subject].filter((value) => value !== null),
  )
  return Object.fromEntries(rows.map(({ state, number }) => [state, Number(number)]))
}

/** Queues a failed, doubtful or pending message now. @returns false if it was sent or is being sent */
export const retryNotice = async (tx: Tx, org: number, id: string, nowMs: number): Promise<boolean> =>
  (await tx.run(
    `UPDATE notices SET state = 'PENDING', attempts = 0, due_ms = ?, lease = NULL, leased_until_ms = NULL
     WHERE org = ? AND id = ? AND (state IN ('FAILED', 'IN_DOUBT')
       OR state = 'PENDING' AND (leased_until_ms IS NULL OR leased_until_ms <= ?))`,
    [nowMs, org, id, nowMs],
  )) > 0

/** Deletes completed messages created before a time, except those about a current deprecation. */
export const deleteNoticesBefore = (tx: Tx, beforeSeconds: number): Promise<number> =>
  tx.run(
    `DELETE FROM notices WHERE creation_timestamp < ? AND state IN ('SENT', 'FAILED', 'IN_DOUBT')
     AND subject NOT IN (SELECT notice_id FROM api_deprecations)`,
    [beforeSeconds],
  )
