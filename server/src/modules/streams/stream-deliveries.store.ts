import { type StreamKind, streamId } from '../../kernel/events/stream-endpoints.ts'
import { maximumClockSkewMs } from '../../kernel/lib/clock.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

/** An event that waits for a stream. */
export interface WaitingEvent {
  readonly id: string
  readonly body: string
}

/** An organization whose events wait. */
export interface WaitingOrganization {
  readonly no: number
  readonly id: string
}

/**
 * Lets a process be the one that delivers a stream, until a time; it holds the lease as long as it asks again before.
 * There is no other process at the embedded store. A lease that ends much later than the one asked for is over: the clock by
 * which it was taken was wrong.
 *
 * The table is not copied from store to store: what it says is over when the processes are.
 *
 * @param holder names the process
 * @returns whether the process has the lease
 */
export async function takeStreamLease(
  db: Db,
  kind: StreamKind,
  { holder, nowMs, untilMs }: { holder: string; nowMs: number; untilMs: number },
): Promise<boolean> {
  if (db.dialect.name === 'sqlite') return true
  const sql = `INSERT INTO stream_leases (kind, holder, until_ms) VALUES (?, ?, ?)
    ON CONFLICT (kind) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
    WHERE stream_leases.holder = excluded.holder OR stream_leases.until_ms < ? OR stream_leases.until_ms > ?`
  const params = [kind, holder, untilMs, nowMs, untilMs + maximumClockSkewMs]
  return (await db.inTransaction((tx) => tx.run(sql, params))) === 1
}

/** Gives the lease back, if the process has it. */
export async function returnStreamLease(db: Db, kind: StreamKind, holder: string): Promise<void> {
  if (db.dialect.name === 'sqlite') return
  const sql = 'DELETE FROM stream_leases WHERE kind = ? AND holder = ?'
  await db.inTransaction((tx) => tx.run(sql, [kind, holder]))
}

/** The organizations whose events wait for a stream. */
export const organizationsWaiting = (reader: Reader, kind: StreamKind): Promise<WaitingOrganization[]> =>
  reader.all<WaitingOrganization>(
    `SELECT o.no, o.id FROM organizations AS o
     WHERE EXISTS (SELECT 1 FROM webhook_deliveries AS d WHERE d.org = o.no AND d.webhook_id = ? AND d.state = 'PENDING')
     ORDER BY o.no`,
    [streamId(kind)],
  )

/**
 * The events of an organization that wait for a stream, in the order in which they were written: by their ids, which go
 * on when the clock of the process that makes them steps back.
 */
export const eventsWaiting = (
  reader: Reader,
  org: number,
  kind: StreamKind,
  limit: number,
): Promise<WaitingEvent[]> =>
  reader.all<WaitingEvent>(
    `SELECT e.id, e.body FROM webhook_deliveries AS d JOIN events AS e ON e.org = d.org AND e.id = d.event_id
     WHERE d.org = ? AND d.webhook_id = ? AND d.state = 'PENDING' ORDER BY d.event_id LIMIT ?`,
    [org, streamId(kind), limit],
  )

/**
 * Since when the oldest event waits for a stream.
 *
 * @returns milliseconds since the UNIX epoch; null if nothing waits
 */
export async function oldestWaitingMs(reader: Reader, kind: StreamKind): Promise<number | null> {
  const row = await reader.get<{ dueMs: number | null }>(
    `SELECT min((SELECT d.due_ms FROM webhook_deliveries AS d WHERE d.org = o.no AND d.webhook_id = ? AND d.state = 'PENDING' ORDER BY d.due_ms LIMIT 1)) AS "dueMs"
     FROM organizations AS o`,
    [streamId(kind)],
  )
  return row?.dueMs ?? null
}

/** Notes that a stream has got events. Nothing is kept of that: what a stream has is seen in the stream. */
export async function settleStream(
  tx: Tx,
  org: number,
  kind: StreamKind,
  eventIds: readonly string[],
): Promise<void> {
  const marks = eventIds.map(() => '?').join(', ')
  await tx.run(`DELETE FROM webhook_deliveries WHERE org = ? AND webhook_id = ? AND event_id IN (${marks})`, [
    org,
    streamId(kind),
    ...eventIds,
  ])
}
