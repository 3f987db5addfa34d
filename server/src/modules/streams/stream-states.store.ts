import { type StreamKind, streamKinds } from '@muster/contract/events/stream-kinds'
import { streamId } from '../../kernel/events/stream-endpoints.ts'
import { firstCharacters } from '../../kernel/lib/text.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { countPending } from '../webhooks/webhook-log.service.ts'
import { listWebhookRows } from '../webhooks/webhooks.service.ts'

/** State of a stream from the view of an organization. Times are UNIX milliseconds. */
export interface StreamState {
  readonly kind: StreamKind
  /** `file:///var/log/muster/events.jsonl`, `tls://siem.example.com:6514` */
  readonly url: string
  /** Time of the last delivery for the organization; null if there was none. */
  readonly deliveredMs: number | null
  /** Time of the last failure for any organization, since all share one target; null if there was none. */
  readonly failedMs: number | null
  /** Error of that failure. */
  readonly error: string | null
  /** True if nothing was delivered for any organization since the last failure. */
  readonly heldUp: boolean
  /** Number of pending events of the organization, counted up to a limit. */
  readonly pending: number
  /** ID of the oldest pending event. */
  readonly oldest: string | null
}

const maxErrorLength = 512

export const recordStreamSuccess = (
  tx: Tx,
  orgs: readonly number[],
  kind: StreamKind,
  nowMs: number,
): Promise<unknown> =>
  tx.insert(
    'stream_states',
    ['org', 'kind', 'delivered_ms'],
    orgs.map((org) => [org, kind, nowMs]),
    'ON CONFLICT (org, kind) DO UPDATE SET delivered_ms = excluded.delivered_ms',
  )

export const recordStreamFailure = (
  tx: Tx,
  org: number,
  kind: StreamKind,
  { nowMs, error }: { nowMs: number; error: string },
): Promise<unknown> =>
  tx.insert(
    'stream_states',
    ['org', 'kind', 'failed_ms', 'error'],
    [[org, kind, nowMs, firstCharacters(error.replaceAll(/\p{Cc}+/gu, ' '), maxErrorLength)]],
    'ON CONFLICT (org, kind) DO UPDATE SET failed_ms = excluded.failed_ms, error = excluded.error',
  )

/** Lists the configured streams with their state for an organization. */
export async function listStreamStates(reader: Reader, org: number): Promise<StreamState[]> {
  const states: StreamState[] = []
  for (const kind of streamKinds)
    for (const { url } of await listWebhookRows(reader, org, kind)) {
      const pendingCount = await countPending(reader, { org, webhookId: streamId(kind) })
      const own = await reader.get<{ deliveredMs: number | null }>(
        'SELECT delivered_ms AS "deliveredMs" FROM stream_states WHERE org = ? AND kind = ?',
        [org, kind],
      )
      const failure = await reader.get<{ failedMs: number; error: string }>(
        'SELECT failed_ms AS "failedMs", error FROM stream_states WHERE kind = ? AND failed_ms IS NOT NULL ORDER BY failed_ms DESC LIMIT 1',
        [kind],
      )
      const delivered = await reader.get<{ atMs: number | null }>(
        'SELECT max(delivered_ms) AS "atMs" FROM stream_states WHERE kind = ?',
        [kind],
      )
      const { failedMs = null, error = null } = failure ?? {}
      const heldUp = failedMs !== null && failedMs > (delivered?.atMs ?? 0)
      states.push({
        kind,
        url,
        failedMs,
        error,
        heldUp,
        ...pendingCount,
        deliveredMs: own?.deliveredMs ?? null,
      })
    }
  return states
}
