import { parentPort, workerData } from 'node:worker_threads'
import type { BatchAnswer, DormantAnswer } from '@muster/contract/agent-event'
import { ApiError, type ErrorCode, type Mistake } from '@muster/contract/errors'
import { systemClock } from '../lib/clock.ts'
import { giveWay } from '../lib/thread-priority.ts'
import { openBeside } from '../storage/open-beside.ts'
import { type StorePlace, StoreUnavailableError } from '../storage/sql.ts'
import type { AgentPrincipal, Connection } from './agent-principal.ts'
import { type IntakeTerms, intakeService } from './intake.ts'
import { termsReader } from './org-terms.ts'

/**
 * The thread behind `intakeOf`: it takes in the batches that it is sent, several at a time, over connections of its own
 * to the embedded store. Told nothing, it ends.
 */

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

// People wait for pages, agents for nothing.
giveWay()

const { place, ...terms } = workerData as { place: StorePlace } & IntakeTerms

let nowMs = 0
const clock = { ...systemClock, nowMs: () => nowMs }
const db = openBeside(place, clock)
const intake = intakeService({ db, clock, termsOf: termsReader(), ...terms })

async function outcomeOf({ id, principal, connection, bytes }: IntakeCall): Promise<IntakeOutcome> {
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

parentPort?.on('message', async (call: IntakeCall | undefined) => {
  if (call) {
    nowMs = call.nowMs
    parentPort?.postMessage(await outcomeOf(call))
  } else {
    await db.close()
    parentPort?.close()
  }
})
