import { parentPort } from 'node:worker_threads'
import type { BatchAnswer, DormantAnswer } from '@muster/contract/agent/agent-event'
import { ApiError, type ErrorCode, type Mistake } from '@muster/contract/api/errors'
import { systemClock } from '../../kernel/lib/clock.ts'
import { lowerThreadPriority } from '../../kernel/lib/process/thread-priority.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { StoreUnavailableError, type WorkerConnection } from '../../kernel/store/sql.ts'
import type { AgentPrincipal, ClientFacts } from '../agents/agent-principal.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { type Intake, type IntakeSettings, intakeService } from './intake.ts'

/** Data for the start of the thread. */
export interface IntakeData extends IntakeSettings {
  readonly connection: WorkerConnection
}

/** Batch sent to the thread. */
export interface IntakeCall {
  readonly id: number
  /** Time of receipt by the clock of the main thread. */
  readonly nowMs: number
  readonly principal: AgentPrincipal
  readonly client: ClientFacts
  /** Body of the request. */
  readonly bytes: Uint8Array
}

/** Outcome of a batch. Errors are sent as plain fields, because structured clone drops their class. */
export type IntakeOutcome = { readonly id: number } & (
  | { readonly answer: BatchAnswer | DormantAnswer; readonly lags: readonly number[] }
  | { readonly refusal: Refusal }
  | { readonly unavailable: Unavailable }
  | { readonly failure: Error }
)

/** Fields of a StoreUnavailableError. */
interface Unavailable {
  readonly message: string
  readonly mayBeDone: boolean
  readonly reason: string | undefined
}

interface Refusal {
  readonly code: ErrorCode
  readonly detail: string
  readonly mistakes: readonly Mistake[]
  readonly headers: Readonly<Record<string, string>>
}

async function outcomeOf(
  intake: Intake,
  { id, principal, client, bytes }: IntakeCall,
): Promise<IntakeOutcome> {
  let lags: readonly number[] = []
  const onLags = (seconds: readonly number[]): void => {
    lags = seconds
  }
  try {
    return { id, answer: await intake(principal, client, Buffer.from(bytes.buffer), onLags), lags }
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, message, mistakes, headers } = error
      return { id, refusal: { code, detail: message, mistakes, headers } }
    }
    if (error instanceof StoreUnavailableError) {
      const { message, mayBeDone, reason } = error
      return { id, unavailable: { message, mayBeDone, reason } }
    }
    return { id, failure: error instanceof Error ? error : new Error(String(error)) }
  }
}

/**
 * Runs the thread behind `intakeOf`. It processes batches concurrently over its own connections to the
 * embedded store, and ends when it receives `undefined`.
 */
export async function runThread({ connection, ...settings }: IntakeData): Promise<void> {
  // Lower priority: people wait for pages, agents do not wait.
  lowerThreadPriority()
  let nowMs = 0
  const clock = { ...systemClock, nowMs: () => nowMs }
  const db = await openStore({ mode: 'worker', connection, clock })
  const intake = intakeService({ db, clock, settingsOf: orgSettingsReader(), ...settings })

  parentPort?.on('message', async (call: IntakeCall | undefined) => {
    if (call) {
      nowMs = call.nowMs
      parentPort?.postMessage(await outcomeOf(intake, call))
    } else {
      await db.close()
      parentPort?.close()
    }
  })
}
