import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { ApiError } from '@muster/contract/errors'
import type { Clock } from '../../kernel/lib/clock.ts'
import { startThread } from '../../kernel/lib/process/start-thread.ts'
import { type Db, StoreUnavailableError, type WorkerConnections } from '../../kernel/store/sql.ts'
import { termsReader } from '../agents/org-terms.ts'
import { type Intake, type IntakeService, type IntakeTerms, intakeService } from './intake.ts'
import type { IntakeCall, IntakeData, IntakeOutcome } from './intake-worker.ts'

/** What the intake of a deployment needs. */
export interface IntakeOptions extends IntakeTerms {
  readonly db: Db
  readonly clock: Clock
}

/**
 * The intake of events: on a thread of its own where a batch would hold up all other requests while it is written and
 * until it is on the disk, which it does on the embedded store; else here.
 */
export function intakeOf(options: IntakeOptions): IntakeService {
  const { workers } = options.db
  if (workers) return intakeThread(workers, options)
  return { intake: intakeService({ ...options, termsOf: termsReader() }), close: async () => {} }
}

interface Waiting {
  resolve(answer: Awaited<ReturnType<Intake>>): void
  reject(error: Error): void
}

/** A thread that takes in batches, started by the first one; after it has stopped, by the next one. */
function intakeThread(
  workers: WorkerConnections,
  { clock, publicUrl, rawEventDays }: IntakeOptions,
): IntakeService {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let worker: Worker | undefined

  const start = (): Worker => {
    const connection = workers.connect()
    const data: IntakeData = { connection, publicUrl, rawEventDays }
    const made = startThread(new URL('./intake-worker.ts', import.meta.url), data, [connection.lockPort])
    let cause: unknown
    made.on('message', (outcome: IntakeOutcome) => {
      settle(waiting.get(outcome.id), outcome)
      waiting.delete(outcome.id)
      if (waiting.size === 0) made.unref()
    })
    made.on('error', (error) => {
      cause = error
    })
    made.on('exit', () => {
      worker = undefined
      // Whether such a batch was committed nobody knows: the agent sends it again, and what is there is not doubled.
      const error = new StoreUnavailableError('the thread that takes in events has stopped', { cause })
      for (const call of waiting.values()) call.reject(error)
      waiting.clear()
    })
    return made
  }

  const intake: Intake = (principal, connection, body) => {
    worker ??= start()
    worker.ref()
    const id = ++lastId
    // A copy of its own, since small buffers share their memory with others.
    const bytes = new Uint8Array(body)
    const call: IntakeCall = { id, nowMs: clock.nowMs(), principal, connection, bytes }
    worker.postMessage(call, [bytes.buffer])
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }

  return {
    intake,
    close: async () => {
      if (!worker) return
      const ended = once(worker, 'exit')
      worker.ref()
      worker.postMessage(undefined)
      await ended
    },
  }
}

function settle(call: Waiting | undefined, outcome: IntakeOutcome): void {
  if ('answer' in outcome) call?.resolve(outcome.answer)
  else if ('refusal' in outcome) {
    const { code, detail, mistakes, headers } = outcome.refusal
    call?.reject(new ApiError(code, detail, { mistakes, headers }))
  } else if ('unavailable' in outcome) {
    const { message, ...facts } = outcome.unavailable
    call?.reject(new StoreUnavailableError(message, facts))
  } else call?.reject(outcome.failure)
}
