import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { amongKeys } from '../../kernel/store/among-keys.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { attemptsMaximum, type WebhookKey } from './webhook-deliveries.store.ts'

/** One request to an endpoint, and what came of it. */
export interface AttemptRow extends WebhookKey {
  readonly eventId: string
  /** From 1; an event that is sent again goes on behind the fourth. */
  readonly attempt: number
  readonly atMs: number
  /** Null if no answer came. */
  readonly status: number | null
  readonly latencyMs: number
  readonly answer: string
  /** Null if it was acknowledged. */
  readonly error: string | null
}

/** How attempts went in a time. */
export interface AttemptCounts {
  readonly delivered: number
  readonly failed: number
}

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/** So many attempts one statement keeps at most: each number of them is a text of its own that is prepared. */
const keptAtOnce = 16

/** Keeps attempts in the log, and says which of them were not there before. */
async function keepNew(tx: Tx, attempts: readonly AttemptRow[]): Promise<AttemptRow[]> {
  const parts = Array.from({ length: Math.ceil(attempts.length / keptAtOnce) }, (_, at) =>
    attempts.slice(at * keptAtOnce, (at + 1) * keptAtOnce),
  )
  const kept = await allSettledOrThrow(
    parts.map((part) =>
      tx.all<AttemptName>(
        // Two that had the same delivery, because the lease of one was over, have both tried.
        `INSERT INTO webhook_attempts (org, webhook_id, event_id, attempt, at_ms, status, latency_ms, answer, error)
         VALUES ${part.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
         ON CONFLICT (org, webhook_id, event_id, attempt) DO NOTHING
         RETURNING org, webhook_id AS "webhookId", event_id AS "eventId", attempt`,
        part.flatMap(({ org, webhookId, eventId, attempt, atMs, status, latencyMs, answer, error }) => [
          ...[org, webhookId, eventId, attempt, atMs, status, latencyMs, answer, error],
        ]),
      ),
    ),
  )
  const names = new Set(kept.flat().map(nameOf))
  return attempts.filter((attempt) => names.has(nameOf(attempt)))
}

type AttemptName = Pick<AttemptRow, 'org' | 'webhookId' | 'eventId' | 'attempt'>
const nameOf = ({ org, webhookId, eventId, attempt }: AttemptName): string =>
  `${org} ${webhookId} ${eventId} ${attempt}`

/** Keeps attempts in the log, and counts those by the hour that are not there yet: they may be told of twice. */
export async function insertAttempts(tx: Tx, attempts: readonly AttemptRow[]): Promise<void> {
  const kept = await keepNew(tx, attempts)
  if (kept.length === 0) return
  const hours = Map.groupBy(kept, ({ org, webhookId, atMs }) => `${org} ${webhookId} ${hourOf(atMs)}`)
  const rows = [...hours]
    // Always in the same order, so that processes which count at the same time do not wait for each other in a circle.
    .sort(([one], [other]) => (one < other ? -1 : 1))
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

/** How attempts of the last 24 hours went, as far as they count for or against the endpoint. */
export async function judgedDay(
  reader: Reader,
  { org, webhookId }: WebhookKey,
  nowSeconds: number,
): Promise<AttemptCounts> {
  const sql = `SELECT coalesce(sum(delivered), 0) AS delivered, coalesce(sum(failed - forgiven), 0) AS failed
    FROM webhook_hours WHERE org = ? AND webhook_id = ? AND hour_timestamp > ?`
  const row = await reader.get<AttemptCounts>(sql, [org, webhookId, nowSeconds - daySeconds])
  // A sum of PostgreSQL is a text: it may be larger than any number of a row.
  return { delivered: Number(row?.delivered ?? 0), failed: Number(row?.failed ?? 0) }
}

/**
 * Whether one of some events that have had their last attempt counts against an endpoint: none of its attempts was
 * forgiven. A failure stands in an hour of which nothing was forgiven only if nothing was since.
 */
export async function failedUnforgiven(
  reader: Reader,
  { org, webhookId }: WebhookKey,
  eventIds: readonly string[],
): Promise<boolean> {
  const among = amongKeys(reader.dialect, 'webhook_attempts', ['org', 'webhook_id'], 'event_id')
  const sql = `SELECT 1 AS one FROM webhook_attempts WHERE ${among} AND attempt % ${attemptsMaximum} = 1 AND error IS NOT NULL
    AND EXISTS (SELECT 1 FROM webhook_hours h WHERE h.org = webhook_attempts.org AND h.webhook_id = webhook_attempts.webhook_id
      AND h.hour_timestamp = webhook_attempts.at_ms / ${hourSeconds * 1000} * ${hourSeconds} AND h.forgiven = 0) LIMIT 1`
  return (await reader.get(sql, [org, webhookId, JSON.stringify(eventIds)])) !== undefined
}

/** Lets what has failed until now count no more against an endpoint. */
export const forgiveFailures = (tx: Tx, { org, webhookId }: WebhookKey): Promise<number> =>
  tx.run('UPDATE webhook_hours SET forgiven = failed WHERE org = ? AND webhook_id = ?', [org, webhookId])

/** Attempts of an hour. */
export interface AttemptHour extends AttemptCounts {
  readonly hourTimestamp: number
  /** How long all of them took together. */
  readonly latencyMsSum: number
}

/** The hours of an endpoint from a moment on, oldest first. */
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

/** The attempts to deliver one event to an endpoint, oldest first. */
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
