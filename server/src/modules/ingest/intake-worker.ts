import { parentPort } from 'node:worker_threads'
import type { BatchAnswer, DormantAnswer } from '@muster/contract/agent-event'
import { ApiError, type ErrorCode, type Mistake } from '@muster/contract/errors'
import { systemClock } from '../../kernel/lib/clock.ts'
import { lowerThreadPriority } from '../../kernel/lib/process/thread-priority.ts'
import { openBeside } from '../../kernel/store/lifecycle/open-beside.ts'
import { type StorePlace, StoreUnavailableError } from '../../kernel/store/sql.ts'
import type { AgentPrincipal, Connection } from '../agents/agent-principal.ts'
import { termsReader } from '../agents/org-terms.ts'
import { type Intake, type IntakeTerms, intakeService } from './intake.ts'

/** What the thread is started with. */
export interface IntakeData extends IntakeTerms {
  readonly place: StorePlace
}

/** A batch to be taken in. */
export interface IntakeCall {
  readonly id: number
  /** When it was received, by the clock of those who sent it here. */
  readonly nowMs: number
  readonly principal: AgentPrincipal
  readonly connection: Connection
  /** The body of the request. */
  readonly bytes: Uint8Array
}

/** Outcome of a batch. Errors lose their class on their way between threads. */
export type IntakeOutcome = { readonly id: number } & (
  | { readonly answer: BatchAnswer | DormantAnswer }
  | { readonly refusal: Refusal }
  | { readonly unavailable: Unavailable }
  | { readonly failure: Error }
)

/** A StoreUnavailableError. */
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
  { id, principal, connection, bytes }: IntakeCall,
): Promise<IntakeOutcome> {
  try {
    return { id, answer: await intake(principal, connection, Buffer.from(bytes.buffer)) }
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
 * Runs the thread behind `intakeOf`: it takes in the batches that it is sent, several at a time, over connections of its
 * own to the embedded store. Told nothing, it ends.
 */
export function runThread({ place, ...terms }: IntakeData): void {
  // People wait for pages, agents for nothing.
  lowerThreadPriority()
  let nowMs = 0
  const clock = { ...systemClock, nowMs: () => nowMs }
  const db = openBeside(place, clock)
  const intake = intakeService({ db, clock, termsOf: termsReader(), ...terms })

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
