import { type BatchAnswer, eventsPerBatchMaximum } from '@muster/contract/agent/agent-event'
import type { AgentTrouble } from '../messages.ts'
import { isProblem } from '../server/problem-code.ts'
import { retryDelayMs } from './retry-delay.ts'

/** State of reporting. Stored, so waits survive a restart of the background. */
export interface Delivery {
  /** Number of consecutive failures. */
  readonly failures: number
  /** Time of the earliest next attempt; milliseconds since the UNIX epoch by the browser's clock. */
  readonly notBeforeMs: number
  /** Lower than the contract's limit after the server rejected a whole batch. */
  readonly eventsPerBatch: number
  /** Time of the server's last response to a batch; UNIX seconds by its clock. */
  readonly lastReportSeconds: number | null
  /** Number of events that the server refused since the agent was installed. */
  readonly refused: number
  readonly trouble: AgentTrouble | null
}

export const initialDelivery: Delivery = {
  failures: 0,
  notBeforeMs: 0,
  eventsPerBatch: eventsPerBatchMaximum,
  lastReportSeconds: null,
  refused: 0,
  trouble: null,
}

/** Result of sending a batch. */
export type Outcome =
  | { readonly kind: 'ANSWERED'; readonly refused: number; readonly policyVersion: string }
  | { readonly kind: 'DORMANT' }
  | { readonly kind: 'UNAUTHENTICATED' }
  /** The server, or a proxy in front of it, rejected the whole batch. */
  | { readonly kind: 'BATCH_REFUSED'; readonly isByServer: boolean }
  | { readonly kind: 'LATER'; readonly trouble: AgentTrouble; readonly retryAfterSeconds: number | null }

/** Response of the server. */
export interface ServerAnswer {
  readonly status: number
  readonly retryAfterSeconds: number | null
  /** Parsed JSON body; undefined if it is not JSON. */
  readonly body: unknown
}

const later = (trouble: AgentTrouble, retryAfterSeconds: number | null = null) =>
  ({ kind: 'LATER', trouble, retryAfterSeconds }) as const

/**
 * Interprets the response to a batch. A response that does not follow the contract counts as a failure and loses no
 * events.
 */
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

/** Returns true if the server declares this browser dormant. */
export function isDormant(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'dormant' in body && body.dormant === true
}

function isBatchAnswer(body: unknown): body is BatchAnswer {
  const answer = body as Partial<BatchAnswer> | null
  return typeof answer?.policyVersion === 'string' && Array.isArray(answer.rejected)
}

/** Effect of an outcome on the events of the batch and on the next attempt. */
export interface Consequence {
  readonly delivery: Delivery
  /** True if the events leave the outbox. */
  readonly settles: boolean
}

/**
 * Decides the effect of an outcome. A rejected batch is retried in halves until the offending event is alone and
 * dropped. It is dropped only if the server itself rejected it, because a proxy's limits can be changed.
 *
 * @param sent number of events in the batch
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
