import type { NoticeKind, NoticeState } from '@muster/contract/notice'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { internalId } from '../../kernel/lib/secrets/derived-id.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

/** A message to a person, as it is kept. Its text is made when it is sent. */
export interface NoticeRow {
  org: number
  id: string
  kind: NoticeKind
  /** What it is about: with organization, kind and address it makes the message the only one. */
  subject: string
  address: string
  /** What its text is made of, as JSON. */
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

/** A message that is to be sent. */
export type NoticePlan = Pick<NoticeRow, 'org' | 'kind' | 'subject' | 'address'> & { readonly facts: object }

const columns = `org, id, kind, subject, address, facts, state, attempts, due_ms AS "dueMs", way, last_error AS "lastError",
  creation_timestamp AS "creationTimestamp", last_attempt_timestamp AS "lastAttemptTimestamp", sent_timestamp AS "sentTimestamp"`

/**
 * Queues messages in the transaction of what they tell of. One that was queued before, about the same subject to the same
 * address whatever its case, is not queued again; its id, and so its Message-ID, follow from what it is.
 *
 * @returns how many are new
 */
export async function queueNotices(tx: Tx, plans: readonly NoticePlan[], nowMs: number): Promise<number> {
  if (plans.length === 0) return 0
  const nowSeconds = Math.floor(nowMs / 1000)
  const rows = plans.map(({ org, kind, subject, address, facts }) => [
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
  return tx.insert('notices', names, rows, 'ON CONFLICT (org, kind, subject, address_key) DO NOTHING')
}

/** A key whose holder is to be told that it expires. */
export interface ExpiringKey {
  readonly org: number
  readonly id: string
  readonly holder: string
  readonly name: string
  readonly start: string
  readonly expiryTimestamp: number
}

/** What a message about a key that expires is about: the key and its end. */
export const expirySubject = ({ id, expiryTimestamp }: Pick<ExpiringKey, 'id' | 'expiryTimestamp'>): string =>
  `${id} ${expiryTimestamp}`

/** The keys of all organizations that expire after one moment and until another, and of which nobody was told. */
export const untoldExpiringKeys = (
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

/** Drops the messages of a kind and subject that nobody was given yet; one that is being prepared ends unsent. */
export const dropWaitingNotices = (tx: Tx, kind: NoticeKind, subject: string): Promise<number> =>
  tx.run("DELETE FROM notices WHERE kind = ? AND subject = ? AND state IN ('PENDING', 'FAILED')", [
    kind,
    subject,
  ])

/** The messages of a kind and subject that have reached somebody, or may have. */
export const noticesThatWentOut = (db: Reader, kind: NoticeKind, subject: string): Promise<NoticeRow[]> =>
  db.all<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE kind = ? AND subject = ? AND state IN ('SENDING', 'SENT', 'IN_DOUBT')`,
    [kind, subject],
  )

/** Whether a message waits for now; cheap enough to ask every second. */
export const someNoticeIsDue = async (db: Reader, nowMs: number): Promise<boolean> =>
  (await db.get(
    `SELECT 1 AS one FROM notices WHERE state = 'PENDING' AND due_ms <= ?
     UNION ALL SELECT 1 AS one FROM notices WHERE state = 'SENDING' AND leased_until_ms <= ? LIMIT 1`,
    [nowMs, nowMs],
  )) !== undefined

/** Who sends a message, and until when nobody else may. */
export interface NoticeLease {
  readonly lease: string
  readonly untilMs: number
}

/**
 * Takes the message that waits for longest; no other process gets it until the lease ends, which {@link renewLease} puts
 * off.
 */
export async function claimNotice(
  db: Db,
  { lease, untilMs }: NoticeLease,
  nowMs: number,
): Promise<NoticeRow | undefined> {
  const free = "state = 'PENDING' AND due_ms <= ? AND (leased_until_ms IS NULL OR leased_until_ms <= ?)"
  for (;;) {
    const next = await db.get<{ org: number; id: string }>(
      `SELECT org, id FROM notices WHERE ${free} ORDER BY due_ms LIMIT 1`,
      [nowMs, nowMs],
    )
    if (!next) return undefined
    const { org, id } = next
    const taken = await db.inTransaction(async (tx) => {
      const sql = `UPDATE notices SET lease = ?, leased_until_ms = ? WHERE org = ? AND id = ? AND ${free}`
      if ((await tx.run(sql, [lease, untilMs, org, id, nowMs, nowMs])) === 0) return undefined
      return findNotice(tx, org, id)
    })
    if (taken) return taken
  }
}

/** Whose message it is to send. */
export type HeldNotice = Pick<NoticeRow, 'org' | 'id'> & { readonly lease: string }

/** Puts the end of a lease off. */
export async function renewLease(tx: Tx, { org, id, lease }: HeldNotice, untilMs: number): Promise<void> {
  await tx.run('UPDATE notices SET leased_until_ms = ? WHERE org = ? AND id = ? AND lease = ?', [
    untilMs,
    org,
    id,
    lease,
  ])
}

/**
 * Notes that a message is about to be complete: from here on, an end of the process leaves it in doubt. False if it is
 * not this process's any more, or was dropped: then it must not be completed.
 */
export const markSending = async (
  tx: Tx,
  { org, id, lease }: HeldNotice,
  nowSeconds: number,
): Promise<boolean> =>
  (await tx.run(
    `UPDATE notices SET state = 'SENDING', attempts = attempts + 1, last_attempt_timestamp = ?
     WHERE org = ? AND id = ? AND lease = ? AND state = 'PENDING'`,
    [nowSeconds, org, id, lease],
  )) > 0

/** What came of an attempt; `counted` if it was when it was marked. */
export type NoticeOutcome =
  | { readonly state: 'SENT'; readonly way: 'SMTP' | 'FILE'; readonly counted: boolean }
  | { readonly state: 'PENDING'; readonly error: string; readonly dueMs: number; readonly counted: boolean }
  | { readonly state: 'FAILED' | 'IN_DOUBT'; readonly error: string; readonly counted: boolean }

/** Notes what came of an attempt, also of one that others have meanwhile taken for doubtful. */
export async function settleNotice(
  tx: Tx,
  { org, id, lease }: HeldNotice,
  outcome: NoticeOutcome,
  nowSeconds: number,
): Promise<void> {
  const { state } = outcome
  const sent = state === 'SENT'
  // An attempt that ended before the message was complete is counted here, the others were when it was.
  const more = outcome.counted ? 0 : 1
  const sql = `UPDATE notices SET state = ?, attempts = attempts + ?, due_ms = ${state === 'PENDING' ? '?' : 'due_ms + ?'},
    way = ?, last_error = ?, last_attempt_timestamp = ?, sent_timestamp = ?, lease = NULL, leased_until_ms = NULL
    WHERE org = ? AND id = ? AND lease = ?`
  await tx.run(sql, [
    state,
    more,
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

/** Takes away a message that has nothing to say any more. */
export async function dropNotice(tx: Tx, { org, id, lease }: HeldNotice): Promise<void> {
  await tx.run("DELETE FROM notices WHERE org = ? AND id = ? AND lease = ? AND state = 'PENDING'", [
    org,
    id,
    lease,
  ])
}

/**
 * Calls in doubt what was complete when the process that sent it ended. The lease stays named, so that a process that was
 * only slow can still say what came of it.
 */
export const doubtAbandoned = (tx: Tx, nowMs: number, reason: string): Promise<number> =>
  tx.run(
    "UPDATE notices SET state = 'IN_DOUBT', last_error = ? WHERE state = 'SENDING' AND leased_until_ms <= ?",
    [reason, nowMs],
  )

/** A moment for each of the times of a message. */
export interface NoticeTimes {
  readonly dueMs: number
  readonly leasedUntilMs: number
}

/** Makes due what is due later than a moment, and ends leases that end later than another: a wrong clock has set them. */
export async function freeNotices(tx: Tx, latest: NoticeTimes, nowMs: number): Promise<void> {
  await tx.run("UPDATE notices SET due_ms = ? WHERE state = 'PENDING' AND due_ms > ?", [nowMs, latest.dueMs])
  await tx.run(
    "UPDATE notices SET leased_until_ms = ? WHERE state IN ('PENDING', 'SENDING') AND leased_until_ms > ?",
    [nowMs, latest.leasedUntilMs],
  )
}

export const findNotice = (db: Reader, org: number, id: string): Promise<NoticeRow | undefined> =>
  db.get<NoticeRow>(`SELECT ${columns} FROM notices WHERE org = ? AND id = ?`, [org, id])

/** The messages of an organization, those that were not sent first, then the newest. */
export const listNoticeRows = (db: Reader, org: number, limit: number): Promise<NoticeRow[]> =>
  db.all<NoticeRow>(
    `SELECT ${columns} FROM notices WHERE org = ?
     ORDER BY CASE WHEN state = 'SENT' THEN 1 ELSE 0 END, creation_timestamp DESC, id DESC LIMIT ?`,
    [org, limit],
  )

/** How many messages there are in each state: of an organization, or of all; about one subject, or about all. */
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

/** Lets a message that failed, is in doubt or waits be tried from now on; false if it was sent, or just is. */
export const retryNotice = async (tx: Tx, org: number, id: string, nowMs: number): Promise<boolean> =>
  (await tx.run(
    `UPDATE notices SET state = 'PENDING', attempts = 0, due_ms = ?, lease = NULL, leased_until_ms = NULL
     WHERE org = ? AND id = ? AND (state IN ('FAILED', 'IN_DOUBT')
       OR state = 'PENDING' AND (leased_until_ms IS NULL OR leased_until_ms <= ?))`,
    [nowMs, org, id, nowMs],
  )) > 0

/** Forgets messages that were done with before a moment, but not those about a deprecation that is in force. */
export const removeOldNotices = (tx: Tx, beforeSeconds: number): Promise<number> =>
  tx.run(
    `DELETE FROM notices WHERE creation_timestamp < ? AND state IN ('SENT', 'FAILED', 'IN_DOUBT')
     AND subject NOT IN (SELECT notice_id FROM api_deprecations)`,
    [beforeSeconds],
  )
