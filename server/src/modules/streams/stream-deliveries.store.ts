import { type StreamKind, streamKinds } from '@muster/contract/events/stream-kinds'
import { streamId } from '../../kernel/events/stream-endpoints.ts'
import { maximumClockSkewMs } from '../../kernel/lib/clock.ts'
import { keyInList } from '../../kernel/store/key-in-list.ts'
import { runPerRow } from '../../kernel/store/run-per-row.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** An organization with pending events. */
export interface PendingOrganization {
  readonly no: number
  readonly id: string
}

/**
 * Acquires or renews the exclusive right to deliver a stream. Always succeeds on the embedded store, which has no other
 * process. A lease that ends much later than requested counts as expired: it was made by a process with a wrong clock.
 *
 * Leases are not copied when a store is moved, since they end with their processes.
 *
 * @param holder ID of the process
 * @returns true if the process has the lease
 */
export async function acquireStreamLease(
  tx: Tx,
  kind: StreamKind,
  { holder, nowMs, untilMs }: { holder: string; nowMs: number; untilMs: number },
): Promise<boolean> {
  if (!tx.dialect.allowsSeveralServers) return true
  const sql = `INSERT INTO stream_leases (kind, holder, until_ms) VALUES (?, ?, ?)
    ON CONFLICT (kind) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
    WHERE stream_leases.holder = excluded.holder OR stream_leases.until_ms < ? OR stream_leases.until_ms > ?`
  const params = [kind, holder, untilMs, nowMs, untilMs + maximumClockSkewMs]
  return (await tx.run(sql, params)) === 1
}

/** Releases the lease if the process has it. */
export async function releaseStreamLease(tx: Tx, kind: StreamKind, holder: string): Promise<void> {
  if (!tx.dialect.allowsSeveralServers) return
  await tx.run('DELETE FROM stream_leases WHERE kind = ? AND holder = ?', [kind, holder])
}

/** Lists the organizations with pending events of a stream. */
export const listPendingOrganizations = (reader: Reader, kind: StreamKind): Promise<PendingOrganization[]> =>
  reader.all<PendingOrganization>(
    `SELECT o.no, o.id FROM organizations AS o
     WHERE EXISTS (SELECT 1 FROM webhook_deliveries AS d WHERE d.org = o.no AND d.webhook_id = ? AND d.state = 'PENDING' ${runPerRow})
     ORDER BY o.no`,
    [streamId(kind)],
  )

/**
 * Lists the IDs of the pending events of an organization in the order they were written, which is the order of their IDs:
 * IDs increase even when the clock steps back.
 */
export async function listPendingIds(
  reader: Reader,
  org: number,
  kind: StreamKind,
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(
    `SELECT event_id AS id FROM webhook_deliveries
     WHERE org = ? AND webhook_id = ? AND state = 'PENDING' ORDER BY event_id LIMIT ?`,
    [org, streamId(kind), limit],
  )
  return rows.map(({ id }) => id)
}

/** Lists the kinds of streams that organizations have. */
export async function listStreamKinds(reader: Reader): Promise<StreamKind[]> {
  const kinds = streamKinds.map((kind) => `'${kind}'`).join(', ')
  const rows = await reader.all<{ kind: StreamKind }>(
    `SELECT DISTINCT kind FROM webhooks WHERE kind IN (${kinds}) ORDER BY kind`,
  )
  return rows.map(({ kind }) => kind)
}

/** Returns the time of the oldest pending event of a stream in UNIX milliseconds; null if none is pending. */
export async function oldestPendingMs(reader: Reader, kind: StreamKind): Promise<number | null> {
  const row = await reader.get<{ dueMs: number | null }>(
    `SELECT min((SELECT d.due_ms FROM webhook_deliveries AS d WHERE d.org = o.no AND d.webhook_id = ? AND d.state = 'PENDING' ORDER BY d.due_ms LIMIT 1)) AS "dueMs"
     FROM organizations AS o`,
    [streamId(kind)],
  )
  return row?.dueMs ?? null
}

/** Counts the pending events of a stream. */
export async function countPendingEvents(reader: Reader, kind: StreamKind): Promise<number> {
  const row = await reader.get<{ pending: number | null }>(
    `SELECT sum((SELECT count(*) FROM webhook_deliveries AS d WHERE d.org = o.no AND d.webhook_id = ? AND d.state = 'PENDING')) AS pending
     FROM organizations AS o`,
    [streamId(kind)],
  )
  return Number(row?.pending ?? 0)
}

/** Deletes the pending deliveries of delivered events. Streams have no delivery log. */
export async function deletePending(
  tx: Tx,
  org: number,
  kind: StreamKind,
  eventIds: readonly string[],
): Promise<void> {
  const among = keyInList(tx.dialect, 'webhook_deliveries', ['org', 'webhook_id'], 'event_id')
  const params = [org, streamId(kind), JSON.stringify(eventIds)]
  await tx.run(`DELETE FROM webhook_deliveries WHERE ${among}`, params)
}

/** Reads the bodies of events by ID, without those of deleted events. */
export async function readBodies(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sql = `SELECT id, body FROM events WHERE ${keyInList(reader.dialect, 'events', ['org'], 'id')}`
  const rows = await reader.all<{ id: string; body: string }>(sql, [org, JSON.stringify(ids)])
  return new Map(rows.map(({ id, body }) => [id, body]))
}
