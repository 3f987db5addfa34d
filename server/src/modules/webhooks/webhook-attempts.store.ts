import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { keyInList } from '../../kernel/store/key-in-list.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { deliveryRetries, type WebhookKey } from './webhook-deliveries.store.ts'

const { maxAttempts } = deliveryRetries

/** One request to an endpoint and its result. */
export interface AttemptRow extends WebhookKey {
  readonly eventId: string
  /** Starts at 1. An event that is sent again continues after the next multiple of four. */
  readonly attempt: number
  readonly atMs: number
  /** Null without a response. */
  readonly status: number | null
  readonly latencyMs: number
  readonly answer: string
  /** Null if the event was acknowledged. */
  readonly error: string | null
}

/** Numbers of successful and failed attempts. */
export interface AttemptCounts {
  readonly delivered: number
  readonly failed: number
}

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/** Maximum number of rows per INSERT. Bounds the number of prepared statements: each row count is a separate one. */
const rowsPerInsert = 16

/** Inserts attempts and returns those that did not exist yet. */
async function insertNew(tx: Tx, attempts: readonly AttemptRow[]): Promise<AttemptRow[]> {
  const chunks = Array.from({ length: Math.ceil(attempts.length / rowsPerInsert) }, (_, index) =>
    attempts.slice(index * rowsPerInsert, (index + 1) * rowsPerInsert),
  )
  const inserted = await allSettledOrThrow(
    chunks.map((chunk) =>
      tx.all<AttemptKey>(
        // Conflicts occur when a lease expired and two processes made the same attempt.
        `INSERT INTO webhook_attempts (org, webhook_id, event_id, attempt, at_ms, status, latency_ms, answer, error)
         VALUES ${chunk.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
         ON CONFLICT (org, webhook_id, event_id, attempt) DO NOTHING
         RETURNING org, webhook_id AS "webhookId", event_id AS "eventId", attempt`,
        chunk.flatMap(({ org, webhookId, eventId, attempt, atMs, status, latencyMs, answer, error }) => [
          org,
          webhookId,
          eventId,
          attempt,
          atMs,
          status,
          latencyMs,
          answer,
          error,
        ]),
      ),
    ),
  )
  const keys = new Set(inserted.flat().map(keyOf))
  return attempts.filter((attempt) => keys.has(keyOf(attempt)))
}

type AttemptKey = Pick<AttemptRow, 'org' | 'webhookId' | 'eventId' | 'attempt'>
const keyOf = ({ org, webhookId, eventId, attempt }: AttemptKey): string =>
  `${org} ${webhookId} ${eventId} ${attempt}`

/** Adds attempts to the log and to the hourly counts. Idempotent: attempts that exist are ignored. */
export async function insertAttempts(tx: Tx, attempts: readonly AttemptRow[]): Promise<void> {
  const inserted = await insertNew(tx, attempts)
  if (inserted.length === 0) return
  const hours = Map.groupBy(inserted, ({ org, webhookId, atMs }) => `${org} ${webhookId} ${hourOf(atMs)}`)
  const rows = [...hours]
    // In a fixed order, to avoid deadlocks between processes.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...rest]]) => {
      if (!first) return []
      const all = [first, ...rest]
      const failed = all.filter(({ error }) => error !== null).length
      const latencyMs = all.reduce((sum, attempt) => sum + attempt.latencyMs, 0)
      const { org, webhookId, atMs } = first
      return [[org, webhookId, hourOf(atMs), all.length - failed, failed, latencyMs]]
    })
  const sums = ['delivered', 'failed', 'latency_ms_sum'].map(
    (column) => `${column} = webhook_hours.${column} + excluded.${column}`,
  )
  await tx.insert(
    'webhook_hours',
    ['org', 'webhook_id', 'hour_timestamp', 'delivered', 'failed', 'latency_ms_sum'],
    rows,
    `ON CONFLICT (org, webhook_id, hour_timestamp) DO UPDATE SET ${sums.join(', ')}`,
  )
}

const hourOf = (ms: number): number => Math.floor(ms / 1000 / hourSeconds) * hourSeconds

/** Counts the attempts of the last 24 hours, without forgiven failures. */
export async function countRecentAttempts(
  reader: Reader,
  { org, webhookId }: WebhookKey,
  nowSeconds: number,
): Promise<AttemptCounts> {
  const sql = `SELECT coalesce(sum(delivered), 0) AS delivered, coalesce(sum(failed - forgiven), 0) AS failed
    FROM webhook_hours WHERE org = ? AND webhook_id = ? AND hour_timestamp > ?`
  const row = await reader.get<AttemptCounts>(sql, [org, webhookId, nowSeconds - daySeconds])
  // PostgreSQL returns sums as text.
  return { delivered: Number(row?.delivered ?? 0), failed: Number(row?.failed ?? 0) }
}

/**
 * Returns true if one of the events failed entirely after failures were last forgiven: its first attempt is in an hour
 * without forgiven failures.
 */
export async function hasUnforgivenFailure(
  reader: Reader,
  { org, webhookId }: WebhookKey,
  eventIds: readonly string[],
): Promise<boolean> {
  const among = keyInList(reader.dialect, 'webhook_attempts', ['org', 'webhook_id'], 'event_id')
  const sql = `SELECT 1 AS one FROM webhook_attempts WHERE ${among} AND attempt % ${maxAttempts} = 1 AND error IS NOT NULL
    AND EXISTS (SELECT 1 FROM webhook_hours h WHERE h.org = webhook_attempts.org AND h.webhook_id = webhook_attempts.webhook_id
      AND h.hour_timestamp = webhook_attempts.at_ms / ${hourSeconds * 1000} * ${hourSeconds} AND h.forgiven = 0) LIMIT 1`
  return (await reader.get(sql, [org, webhookId, JSON.stringify(eventIds)])) !== undefined
}

/** Excludes all failures so far from the counts of {@link countRecentAttempts}. */
export const forgiveFailures = (tx: Tx, { org, webhookId }: WebhookKey): Promise<number> =>
  tx.run('UPDATE webhook_hours SET forgiven = failed WHERE org = ? AND webhook_id = ?', [org, webhookId])

/** Counts of one hour. */
export interface AttemptHour extends AttemptCounts {
  readonly hourTimestamp: number
  /** Total latency of all attempts in the hour. */
  readonly latencyMsSum: number
}

/** Lists the hourly counts of an endpoint since a time, oldest first. */
export const listAttemptHours = (
  reader: Reader,
  { org, webhookId }: WebhookKey,
  fromTimestamp: number,
): Promise<AttemptHour[]> =>
  reader.all<AttemptHour>(
    `SELECT hour_timestamp AS "hourTimestamp", delivered, failed, latency_ms_sum AS "latencyMsSum"
     FROM webhook_hours WHERE org = ? AND webhook_id = ? AND hour_timestamp >= ? ORDER BY hour_timestamp`,
    [org, webhookId, fromTimestamp],
  )

/** Lists the attempts to deliver one event to an endpoint, oldest first. */
export const listAttempts = (
  reader: Reader,
  { org, webhookId }: WebhookKey,
  eventId: string,
): Promise<Omit<AttemptRow, keyof WebhookKey | 'eventId'>[]> =>
  reader.all(
    `SELECT attempt, at_ms AS "atMs", status, latency_ms AS "latencyMs", answer, error FROM webhook_attempts
     WHERE org = ? AND webhook_id = ? AND event_id = ? ORDER BY attempt`,
    [org, webhookId, eventId],
  )
