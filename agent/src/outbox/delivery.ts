import { type BatchAnswer, eventsPerBatchMaximum } from '@muster/contract/agent-event'
import type { AgentTrouble } from '../messages.ts'
import { retryDelayMs } from './retry-delay.ts'

/** How reporting goes; kept, so that waits outlive the background. */
export interface Delivery {
  /** Attempts that failed in a row. */
  readonly failures: number
  /** Nothing is sent before; milliseconds since the UNIX epoch by the browser's clock. */
  readonly notBeforeMs: number
  /** Smaller than the contract's bound after the server refused a whole batch. */
  readonly eventsPerBatch: number
  /** When the server last answered a batch; UNIX seconds by its clock. */
  readonly lastReportSeconds: number | null
  /** Events that the server refused, since the agent was installed. */
  readonly refused: number
  readonly trouble: AgentTrouble | null
}

export const untroubled: Delivery = {
  failures: 0,
  notBeforeMs: 0,
  eventsPerBatch: eventsPerBatchMaximum,
  lastReportSeconds: null,
  refused: 0,
  trouble: null,
}

/** What the server made of a batch. */
export type Outcome =
  | { readonly kind: 'ANSWERED'; readonly refused: number; readonly policyVersion: string }
  | { readonly kind: 'DORMANT' }
  | { readonly kind: 'UNAUTHENTICATED' }
  /** The batch as a whole is not what the server takes. */
  | { readonly kind: 'BATCH_REFUSED' }
  | { readonly kind: 'LATER'; readonly trouble: AgentTrouble; readonly retryAfterSeconds: number | null }

/** An answer of the server; null where there was none. */
export interface ServerAnswer {
  readonly status: number
  readonly retryAfterSeconds: number | null
  /** The body as JSON; undefined if it is none. */
  readonly body: unknown
}

/** Reads an answer to a batch. What is not what the contract says counts as trouble, and nothing is lost by it. */
export function outcomeOf(answer: ServerAnswer | null): Outcome {
  if (!answer) return { kind: 'LATER', trouble: 'UNREACHABLE', retryAfterSeconds: null }
  if (answer.status === 200) {
    if (isDormant(answer.body)) return { kind: 'DORMANT' }
    if (isBatchAnswer(answer.body))
      return {
        kind: 'ANSWERED',
        refused: answer.body.rejected.length,
        policyVersion: answer.body.policyVersion,
      }
  }
  if (answer.status === 401) return { kind: 'UNAUTHENTICATED' }
  if (answer.status === 400 || answer.status === 413) return { kind: 'BATCH_REFUSED' }
  return { kind: 'LATER', trouble: 'SERVER_ERROR', retryAfterSeconds: answer.retryAfterSeconds }
}

/** Whether the server says that this browser has nothing to report. */
export function isDormant(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'dormant' in body && body.dormant === true
}

function isBatchAnswer(body: unknown): body is BatchAnswer {
  const answer = body as Partial<BatchAnswer> | null
  return typeof answer?.policyVersion === 'string' && Array.isArray(answer.rejected)
}

/** What follows from an outcome for the events of the batch, and for the next attempt. */
export interface Consequence {
  readonly delivery: Delivery
  /** Whether the events leave the outbox. */
  readonly settles: boolean
}

/**
 * Decides what follows. A whole batch that was refused is tried again in halves, until the one event that is to
 * blame stands alone and is dropped.
 *
 * @param sent how many events the batch had
 * @param random from 0 (inclusive) to 1 (exclusive)
 */
export function consequenceOf(
  delivery: Delivery,
  outcome: Outcome,
  sent: number,
  now: { readonly browserMs: number; readonly serverSeconds: number },
  random: number,
): Consequence {
  const calm = { ...delivery, failures: 0, notBeforeMs: 0, trouble: null }
  if (outcome.kind === 'ANSWERED')
    return {
      settles: true,
      delivery: {
        ...calm,
        eventsPerBatch: Math.min(eventsPerBatchMaximum, delivery.eventsPerBatch * 2),
        lastReportSeconds: now.serverSeconds,
        refused: delivery.refused + outcome.refused,
      },
    }
  if (outcome.kind === 'BATCH_REFUSED')
    return sent > 1
      ? { settles: false, delivery: { ...calm, eventsPerBatch: Math.ceil(sent / 2) } }
      : { settles: true, delivery: { ...calm, refused: delivery.refused + sent } }
  if (outcome.kind === 'LATER') {
    const failures = delivery.failures + 1
    const waitMs = retryDelayMs(failures, random, outcome.retryAfterSeconds)
    return {
      settles: false,
      delivery: { ...delivery, failures, notBeforeMs: now.browserMs + waitMs, trouble: outcome.trouble },
    }
  }
  return { settles: false, delivery: calm }
}
