import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { jobSet, type RepeatOptions, repeat } from './background-jobs.ts'

let warnings: string[] = []
const log = { warn: (_facts: object, message: string) => void warnings.push(message) }

beforeEach(() => {
  warnings = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => void vi.useRealTimers())

const counted = (options: Partial<RepeatOptions> = {}) => {
  const state = { runs: 0 }
  const run = async () => {
    state.runs += 1
  }
  return { state, job: repeat({ name: 'count', everyMs: 1000, run, ...options }, log) }
}

test('runs at start and after every interval until it is stopped', async () => {
  const { state, job } = counted()
  expect(state.runs).toBe(1)
  await job.idle
  vi.advanceTimersByTime(1000)
  await job.idle
  vi.advanceTimersByTime(1000)
  expect(state.runs).toBe(3)
  await job.stop()
  vi.advanceTimersByTime(5000)
  expect(state.runs).toBe(3)
})

test('waits for the first interval without atStart', async () => {
  const { state, job } = counted({ atStart: false })
  expect(state.runs).toBe(0)
  vi.advanceTimersByTime(1000)
  expect(state.runs).toBe(1)
  await job.stop()
})

test('does not start a run while another is in progress, and stop waits for it', async () => {
  const release = Promise.withResolvers<void>()
  let runs = 0
  let isDone = false
  const run = async (signal: AbortSignal) => {
    runs += 1
    await release.promise
    isDone = signal.aborted
  }
  const job = repeat({ name: 'slow', everyMs: 1000, run }, log)
  vi.advanceTimersByTime(3000)
  expect(runs).toBe(1)
  const stopped = job.stop()
  release.resolve()
  await stopped
  expect(isDone).toBe(true)
})

test.each([
  [false, 3],
  [true, 1],
])('logs failures and goes on: logOnce %s', async (logOnce, count) => {
  const fail = () => Promise.reject(new Error('no store'))
  const { job } = counted({ run: fail, logOnce })
  for (let run = 1; run <= 3; run++) {
    await job.idle
    if (run < 3) vi.advanceTimersByTime(1000)
  }
  expect(warnings).toEqual(Array(count).fill('Background job failed: count'))
  await job.stop()
})

test('does not log an error of a run that was aborted by stop', async () => {
  const run = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  await repeat({ name: 'abort', everyMs: 1000, run }, log).stop()
  expect(warnings).toEqual([])
})

test('a job set stops all jobs, also when one of them fails to stop', async () => {
  const jobs = jobSet(log)
  let stopped = 0
  jobs.add({ stop: () => Promise.reject(new Error('cannot stop')) })
  jobs.add({
    stop: async () => {
      stopped += 1
    },
  })
  jobs.repeat({ name: 'count', everyMs: 1000, run: async () => undefined })
  await expect(jobs.stop()).rejects.toThrow('cannot stop')
  expect(stopped).toBe(1)
})
