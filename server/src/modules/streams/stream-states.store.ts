import { type StreamKind, streamId, streamKinds } from '../../kernel/events/stream-endpoints.ts'
import { firstCharacters } from '../../kernel/lib/text.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { countPending } from '../webhooks/webhook-log.service.ts'
import { listWebhookRows } from '../webhooks/webhooks.service.ts'

/** How a stream fares, as far as an organization is concerned. Times are milliseconds since the UNIX epoch. */
export interface StreamState {
  readonly kind: StreamKind
  /** `file:///var/log/muster/events.jsonl`, `tls://siem.example.com:6514` */
  readonly url: string
  /** When it last took events of the organization; null if it never has. */
  readonly deliveredMs: number | null
  /** When it last failed, for whichever organization: there is one file, and one receiver. */
  readonly failedMs: number | null
  /** Why; null if it never has. */
  readonly error: string | null
  /** Whether it has taken nothing, of whichever organization, since it failed. */
  readonly heldUp: boolean
  /** How many events of the organization wait for it, counted no further than asked for. */
  readonly pending: number
  /** The id of the oldest of them. */
  readonly oldest: string | null
}

const errorLengthMaximum = 512

/** Notes that a stream took events of an organization. */
export const noteStreamDelivered = (tx: Tx, org: number, kind: StreamKind, nowMs: number): Promise<unknown> =>
  tx.insert(
    'stream_states',
    ['org', 'kind', 'delivered_ms'],
    [[org, kind, nowMs]],
    'ON CONFLICT (org, kind) DO UPDATE SET delivered_ms = excluded.delivered_ms',
  )

/** Notes that a stream did not take the events of an organization, and why. */
export const noteStreamFailed = (
  tx: Tx,
  org: number,
  kind: StreamKind,
  { nowMs, error }: { nowMs: number; error: string },
): Promise<unknown> =>
  tx.insert(
    'stream_states',
    ['org', 'kind', 'failed_ms', 'error'],
    [[org, kind, nowMs, firstCharacters(error.replaceAll(/\p{Cc}+/gu, ' '), errorLengthMaximum)]],
    'ON CONFLICT (org, kind) DO UPDATE SET failed_ms = excluded.failed_ms, error = excluded.error',
  )

/** The streams that are set up, and how they fare for an organization. */
export async function listStreamStates(
  reader: Reader,
  org: number,
  countedMost: number,
): Promise<StreamState[]> {
  const states: StreamState[] = []
  for (const kind of streamKinds)
    for (const { url } of await listWebhookRows(reader, org, kind)) {
      const waiting = await countPending(reader, { org, webhookId: streamId(kind) }, countedMost)
      const own = await reader.get<{ deliveredMs: number | null }>(
        'SELECT delivered_ms AS "deliveredMs" FROM stream_states WHERE org = ? AND kind = ?',
        [org, kind],
      )
      const failure = await reader.get<{ failedMs: number; error: string }>(
        'SELECT failed_ms AS "failedMs", error FROM stream_states WHERE kind = ? AND failed_ms IS NOT NULL ORDER BY failed_ms DESC LIMIT 1',
        [kind],
      )
      const taken = await reader.get<{ atMs: number | null }>(
        'SELECT max(delivered_ms) AS "atMs" FROM stream_states WHERE kind = ?',
        [kind],
      )
      const { failedMs = null, error = null } = failure ?? {}
      const heldUp = failedMs !== null && failedMs > (taken?.atMs ?? 0)
      states.push({
        kind,
        url,
        failedMs,
        error,
        heldUp,
        ...waiting,
        deliveredMs: own?.deliveredMs ?? null,
      })
    }
  return states
}
