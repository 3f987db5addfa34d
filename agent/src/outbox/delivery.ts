import { type BatchAnswer, eventsPerBatchMaximum } from '@muster/contract/agent-event'
import type { AgentTrouble } from '../messages.ts'
import { isProblem } from '../server/problem-code.ts'
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
  /** The batch as a whole is not what the server takes, or a proxy before it. */
  | { readonly kind: 'BATCH_REFUSED'; readonly isByServer: boolean }
  | { readonly kind: 'LATER'; readonly trouble: AgentTrouble; readonly retryAfterSeconds: number | null }

/** An answer of the server; null where there was none. */
export interface ServerAnswer {
  readonly status: number
  readonly retryAfterSeconds: number | null
  /** The body as JSON; undefined if it is none. */
  readonly body: unknown
}

const later = (trouble: AgentTrouble, retryAfterSeconds: number | null = null) =>
  ({ kind: 'LATER', trouble, retryAfterSeconds }) as const

/** Reads an answer to a batch. What is not what the contract says counts as trouble, and nothing is lost by it. */
export function outcomeOf(answer: ServerAnswer | null): Outcome {
  if (!answer) return later('UNREACHABLE')
  if (answer.status === 200) {
    if (isDormant(answer.body)) return { kind: 'DORMANT' }
    if (isBatchAnswer(answer.body))
      return {
        kind: 'ANSWERED',
        refused: answer.body.rejected.length,
        policyVersion: answer.body.policyVersion,
      }
  }
  if (isProblem(answer, 401, 'unauthenticated')) return { kind: 'UNAUTHENTICATED' }
  const isByServer = isProblem(answer, 400, 'invalid_request') || isProblem(answer, 413, 'payload_too_large')
  if (isByServer || answer.status === 413) return { kind: 'BATCH_REFUSED', isByServer }
  return later('SERVER_ERROR', answer.retryAfterSeconds)
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
 * blame stands alone and is dropped: on the server's word, for what a proxy takes can be changed.
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
  if (outcome.kind === 'BATCH_REFUSED') {
    if (sent > 1) return { settles: false, delivery: { ...calm, eventsPerBatch: Math.ceil(sent / 2) } }
    if (outcome.isByServer) return { settles: true, delivery: { ...calm, refused: delivery.refused + sent } }
    return { settles: false, delivery: afterFailure(delivery, later('SERVER_ERROR'), now.browserMs, random) }
  }
  const isLater = outcome.kind === 'LATER'
  return {
    settles: false,
    delivery: isLater ? afterFailure(delivery, outcome, now.browserMs, random) : calm,
  }
}

function afterFailure(
  delivery: Delivery,
  { trouble, retryAfterSeconds }: Extract<Outcome, { kind: 'LATER' }>,
  browserMs: number,
  random: number,
): Delivery {
  const failures = delivery.failures + 1
  const waitMs = retryDelayMs(failures, random, retryAfterSeconds)
  return { ...delivery, failures, notBeforeMs: browserMs + waitMs, trouble }
}
