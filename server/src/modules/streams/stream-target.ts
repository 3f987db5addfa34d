import type { StreamKind } from '@muster/contract/events/stream-kinds'
import type { StreamedEvent } from './formats/stream-line.ts'

/** Limits of the batches of a stream. */
export interface BatchLimits {
  readonly maxEvents: number
  /** Maximum total length of the events as stored, in characters. A single event may be longer. */
  readonly maxLength: number
  /** Maximum number of batches in flight. With 1, events arrive in order per organization. */
  readonly maxInFlight: number
}

/** Event of a batch that the receiver did not take. */
export interface RefusedEvent {
  /** Position in the batch. */
  readonly at: number
  readonly reason: string
}

/** Result for a batch that was taken at least in part. */
export interface PartialDelivery {
  /** Events that the receiver refuses for what they contain. */
  readonly rejected: readonly RefusedEvent[]
  /** Events to send again. */
  readonly failed: readonly RefusedEvent[]
}

/** Destination of a stream. */
export interface StreamTarget {
  readonly kind: StreamKind
  readonly limits: BatchLimits
  /**
   * Delivers a batch.
   *
   * @returns the events that were not taken; undefined if all were
   * @throws ReceiverError, or any other error, if the receiver took none
   */
  deliver(events: readonly StreamedEvent[]): Promise<PartialDelivery | undefined>
  close(): Promise<void>
  /** Opens a file again before the next write, after it was moved. */
  reopen?: (() => void) | undefined
}

/** The receiver took none of the events of a batch. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  /** True if it refused them for their content or size, so that fewer of them may be taken. */
  readonly isAboutContent: boolean
  /** Time for which it wants to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, more: { isAboutContent?: boolean; retryAfterMs?: number | undefined } = {}) {
    super(message)
    this.isAboutContent = more.isAboutContent ?? false
    this.retryAfterMs = more.retryAfterMs
  }
}
