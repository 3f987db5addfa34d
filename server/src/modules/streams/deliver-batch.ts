import { ReceiverError, type StreamTarget } from './stream-target.ts'

/** Event to deliver. */
export interface PendingEvent {
  /** Number and ID of its organization. */
  readonly org: number
  readonly organizationId: string
  readonly id: string
  readonly body: string
}

/** Result of a batch. Every event is in one of the lists. */
export interface BatchResult {
  readonly delivered: readonly PendingEvent[]
  /** Events that are given up, because the receiver refuses them and takes others, with its reasons. */
  readonly rejected: readonly (PendingEvent & { readonly reason: string })[]
  /** Events to send again. */
  readonly failed: readonly PendingEvent[]
  /** Reason of the first event that was not taken; undefined if all were. */
  readonly error: string | undefined
  readonly retryAfterMs: number | undefined
}

/** Number of single events that are refused before others of the batch are not tried any more, if none was taken. */
const maxRefusals = 4

/**
 * Delivers a batch. A batch that is refused for its content or size is halved until the refused events are alone. They are
 * rejected only if the receiver takes other events of the batch: a receiver that refuses everything is set up wrongly, and
 * giving up its events would lose them. The halves are tried in random order. Otherwise a batch that begins with refused events
 * would end at the same ones in each attempt.
 */
export async function deliverBatch(
  target: StreamTarget,
  events: readonly PendingEvent[],
): Promise<BatchResult> {
  const delivered = new Set<PendingEvent>()
  /** Reasons by event. */
  const refused = new Map<PendingEvent, string>()
  let error: string | undefined
  let retryAfterMs: number | undefined
  let isOver = false

  const deliver = async (part: readonly PendingEvent[]): Promise<void> => {
    if (isOver || part.length === 0) return
    try {
      const result = await target.deliver(part)
      const rejectedAt = new Map(result?.rejected.map(({ at, reason }) => [at, reason]))
      const failedAt = new Set(result?.failed.map(({ at }) => at))
      error ??= (result?.failed[0] ?? result?.rejected[0])?.reason
      for (const [at, event] of part.entries()) {
        const reason = rejectedAt.get(at)
        if (reason !== undefined) refused.set(event, reason)
        else if (!failedAt.has(at)) delivered.add(event)
      }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      error ??= reason
      if (!(cause instanceof ReceiverError && cause.isAboutContent)) {
        isOver = true
        if (cause instanceof ReceiverError) retryAfterMs = cause.retryAfterMs
      } else if (part.length === 1) {
        for (const event of part) refused.set(event, reason)
        isOver = delivered.size === 0 && refused.size >= maxRefusals
      } else {
        const middle = Math.ceil(part.length / 2)
        const halves = [part.slice(0, middle), part.slice(middle)]
        for (const half of Math.random() < 0.5 ? halves : halves.reverse()) await deliver(half)
      }
    }
  }

  await deliver(events)
  // A receiver that took none may take them when its settings are right.
  if (delivered.size === 0) refused.clear()
  const failed = events.filter((event) => !delivered.has(event) && !refused.has(event))
  return {
    delivered: events.filter((event) => delivered.has(event)),
    rejected: events.flatMap((event) => {
      const reason = refused.get(event)
      return reason === undefined ? [] : [{ ...event, reason }]
    }),
    failed,
    error: refused.size + failed.length > 0 ? error : undefined,
    retryAfterMs,
  }
}
