import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { ApiError } from '@muster/contract/api/errors'
import type { Clock } from '../../kernel/lib/clock.ts'
import { startThread } from '../../kernel/lib/process/start-thread.ts'
import { type Db, StoreUnavailableError, type WorkerConnections } from '../../kernel/store/sql.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { type Intake, type IntakeService, type IntakeSettings, intakeService } from './intake.ts'
import type { IntakeCall, IntakeData, IntakeOutcome } from './intake-worker.ts'

export interface IntakeOptions extends IntakeSettings {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Returns the intake of events. The embedded store gets a worker thread: writing and syncing a batch would
 * block all other requests.
 */
export function intakeOf(options: IntakeOptions): IntakeService {
  const { workers } = options.db
  if (workers) return intakeThread(workers, options)
  return { intake: intakeService({ ...options, settingsOf: orgSettingsReader() }), close: async () => {} }
}

interface PendingCall {
  resolve(answer: Awaited<ReturnType<Intake>>): void
  reject(error: Error): void
  readonly onLags: Parameters<Intake>[3]
}

/**
 * Runs the intake on a thread that starts with the first batch, and again with the next batch after it
 * stopped.
 */
function intakeThread(
  workers: WorkerConnections,
  { clock, publicUrl, rawEventDays }: IntakeOptions,
): IntakeService {
  const pending = new Map<number, PendingCall>()
  let lastId = 0
  let worker: Worker | undefined

  const start = (): Worker => {
    const connection = workers.connect()
    const data: IntakeData = { connection, publicUrl, rawEventDays }
    const thread = startThread(new URL('./intake-worker.ts', import.meta.url), data, [connection.lockPort])
    let cause: unknown
    thread.on('message', (outcome: IntakeOutcome) => {
      complete(pending.get(outcome.id), outcome)
      pending.delete(outcome.id)
      if (pending.size === 0) thread.unref()
    })
    thread.on('error', (error) => {
      cause = error
    })
    thread.on('exit', () => {
      worker = undefined
      // The batches may have been committed. Agents send them again, and duplicates are ignored.
      const error = new StoreUnavailableError('the intake thread stopped', { cause })
      for (const call of pending.values()) call.reject(error)
      pending.clear()
    })
    return thread
  }

  const intake: Intake = (principal, client, body, onLags) => {
    worker ??= start()
    worker.ref()
    const id = ++lastId
    // Copy: small buffers share an ArrayBuffer, and the transfer would detach all of them.
    const bytes = new Uint8Array(body)
    const call: IntakeCall = { id, nowMs: clock.nowMs(), principal, client, bytes }
    worker.postMessage(call, [bytes.buffer])
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject, onLags }))
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

function complete(call: PendingCall | undefined, outcome: IntakeOutcome): void {
  if ('answer' in outcome) {
    call?.onLags?.(outcome.lags)
    call?.resolve(outcome.answer)
  } else if ('refusal' in outcome) {
    const { code, detail, mistakes, headers } = outcome.refusal
    call?.reject(new ApiError(code, detail, { mistakes, headers }))
  } else if ('unavailable' in outcome) {
    const { message, ...facts } = outcome.unavailable
    call?.reject(new StoreUnavailableError(message, facts))
  } else call?.reject(outcome.failure)
}
