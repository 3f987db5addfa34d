import { afterEach, expect, test } from 'vitest'
import { until } from '../../../../test/support/until.ts'
import { type JobQueue, type QueueOptions, type QueueWorker, startQueue } from './job-queue.ts'
import type { LaneKey } from './queue-lane.ts'
import { retryDelayMs } from './retry-schedule.ts'

interface TestJob {
  readonly lane: LaneKey
  readonly no: number
}
type TestQueue = JobQueue<LaneKey, TestJob, TestJob, number>

let warnings: string[] = []
const running: QueueWorker[] = []
afterEach(async () => {
  warnings = []
  for (const worker of running.splice(0)) await worker.stop()
})

/** Starts a worker on jobs in memory, by lane. */
const started = (
  due: Record<string, number[]>,
  change: Partial<TestQueue> = {},
  options: Partial<QueueOptions> = {},
) => {
  const stored: number[] = []
  const released: number[] = []
  const queue: TestQueue = {
    name: 'Test',
    listDue: async () => Object.keys(due).map((name) => ({ name })),
    exchange: async (work) => {
      stored.push(...work.outcomes)
      released.push(...work.released.map(({ no }) => no))
      const leased = work.requests.flatMap(({ lane, limit }) =>
        (due[lane.name] ?? []).splice(0, limit).map((no) => ({ lane, no })),
      )
      return { leased }
    },
    load: async (leased) => leased,
    run: async ({ no }) => no,
    ...change,
  }
  const log = { warn: (_facts: object, message: string) => void warnings.push(message) }
  const limits = { minConcurrency: 2, maxConcurrency: 2, maxPrefetch: 0, pollMs: 20 }
  const worker = startQueue(queue, { log, ...limits, ...options })
  running.push(worker)
  return { worker, queue, stored, released }
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test('runs all jobs once, in parallel up to the limit of each lane', async () => {
  const inFlight = new Map<string, number>()
  let most = 0
  const run = async ({ lane: { name }, no }: TestJob) => {
    inFlight.set(name, (inFlight.get(name) ?? 0) + 1)
    most = Math.max(most, inFlight.get(name) ?? 0)
    await new Promise((resolve) => setTimeout(resolve, 1))
    inFlight.set(name, (inFlight.get(name) ?? 0) - 1)
    return no
  }
  const { worker, stored } = started({ a: numbers(20), b: [100, 101] }, { run })
  await worker.idle()
  expect(stored.sort((a, b) => a - b)).toEqual([...numbers(20), 100, 101])
  expect(most).toBe(2)
})

test('applies changed limits of a lane while it has jobs', async () => {
  let maxConcurrency = 4
  let atOnce = 0
  const most: number[] = []
  const inFlight: PromiseWithResolvers<void>[] = []
  const run = async ({ no }: TestJob) => {
    atOnce += 1
    most.push(atOnce)
    const held = Promise.withResolvers<void>()
    inFlight.push(held)
    await held.promise
    atOnce -= 1
    return no
  }
  let queries = 0
  const listDue = async () => {
    queries += 1
    return [{ name: 'a', limits: { minConcurrency: 1, maxConcurrency } }]
  }
  const { stored } = started({ a: numbers(40) }, { run, listDue }, { maxConcurrency: 4 })
  await until('four jobs', () => {
    if (atOnce < 4) inFlight.shift()?.resolve()
    return atOnce === 4
  })
  maxConcurrency = 1
  const before = queries
  await until('another query', () => queries > before + 1)
  most.length = 0
  await until('the end', () => {
    inFlight.shift()?.resolve()
    return stored.length === 40
  })
  expect(Math.max(...most)).toBe(1)
})

test('stores outcomes again after the store failed, and warns once', async () => {
  let failures = 0
  const { worker, queue, stored } = started({ a: [1] })
  const { exchange } = queue
  Object.assign(queue, {
    exchange: (work: Parameters<TestQueue['exchange']>[0]) => {
      if (work.outcomes.length === 0 || failures === 2) return exchange(work)
      failures += 1
      return Promise.reject(new Error('no store'))
    },
  })
  await worker.idle()
  expect(stored).toEqual([1])
  expect(warnings).toEqual(['Test: the store is unavailable, retrying every second'])
})

test('releases jobs that could not be loaded, were not attempted or threw', async () => {
  let isFirst = true
  const load = async (leased: readonly TestJob[]) => {
    if (!isFirst) return leased
    isFirst = false
    throw new Error('no store')
  }
  const run = async ({ no }: TestJob) => {
    if (no === 4) throw new Error('broken')
    return no === 3 ? undefined : no
  }
  const { released, stored } = started({ a: [1, 2, 3, 4, 5] }, { load, run })
  await until('outcomes', () => stored.length === 1 && released.length === 4)
  expect(released).toEqual([1, 2, 3, 4])
  expect(stored).toEqual([5])
  expect(warnings.at(-1)).toBe('Test: a job could not be run')
})

test('does not run queued jobs of a revoked lane', async () => {
  const held = Promise.withResolvers<void>()
  const inFlight = new Set<number>()
  const due: Record<string, number[]> = { a: numbers(20), b: [] }
  const { queue, worker, stored, released } = started(
    due,
    {
      // Leases grow while jobs are fast.
      run: async ({ lane, no }) => {
        inFlight.add(no)
        if (lane.name === 'a' && no >= 10) await held.promise
        return no
      },
    },
    { minConcurrency: 1, maxConcurrency: 1, maxPrefetch: 20 },
  )
  const { exchange } = queue
  Object.assign(queue, {
    exchange: async (work: Parameters<TestQueue['exchange']>[0]) => ({
      ...(await exchange(work)),
      revoked: work.outcomes.includes(100) ? work.waiting : [],
    }),
  })
  await until('a slow job', () => inFlight.has(10))
  due.b?.push(100)
  await until('released jobs', () => released.length > 0)
  held.resolve()
  await worker.stop()
  expect(stored.sort((x, y) => x - y)).toEqual([...numbers(11), 100])
  expect(released.some((no) => inFlight.has(no))).toBe(false)
})

test('renews leases of jobs in flight', async () => {
  const held = Promise.withResolvers<void>()
  const renewed = new Set<number>()
  const renew = async (jobs: readonly TestJob[]) => {
    for (const { no } of jobs) renewed.add(no)
  }
  started({ a: [1] }, { run: () => held.promise.then(() => 1), renew }, { renewEveryMs: 5 })
  await until('renewal', () => renewed.has(1))
  held.resolve()
  expect(warnings).toEqual([])
})

test('stop stores the outcomes of jobs in flight, leases nothing more and closes the queue', async () => {
  const held = Promise.withResolvers<void>()
  const inFlight = new Set<number>()
  const calls: string[] = []
  const { worker, stored } = started(
    { a: numbers(10) },
    {
      run: ({ no }) => {
        inFlight.add(no)
        return held.promise.then(() => no)
      },
      cancel: () => {
        calls.push('cancel')
        held.resolve()
      },
      close: () => void calls.push('close'),
    },
  )
  await until('jobs in flight', () => inFlight.size === 2)
  await worker.stop()
  expect(stored).toEqual([0, 1])
  expect(calls).toEqual(['cancel', 'close'])
})

test('stop releases a job that is leased meanwhile, also in a lane whose jobs do not end', async () => {
  const inFlight = new Set<number>()
  const leasing = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const due: Record<string, number[]> = { a: [0] }
  const { worker, queue, released } = started(
    due,
    {
      run: ({ no }) => {
        inFlight.add(no)
        return new Promise<number>(() => undefined)
      },
    },
    { minConcurrency: 1, maxConcurrency: 1, maxPrefetch: 20, stopTimeoutMs: 200 },
  )
  await until('job in flight', () => inFlight.has(0))
  const { exchange } = queue
  Object.assign(queue, {
    exchange: async (work: Parameters<TestQueue['exchange']>[0]) => {
      const exchanged = await exchange(work)
      if (exchanged.leased.length > 0) leasing.resolve()
      await gate.promise
      return exchanged
    },
  })
  due.a?.push(1)
  await leasing.promise
  const stopped = worker.stop()
  gate.resolve()
  await stopped
  expect(released).toEqual([1])
  expect([...inFlight]).toEqual([0])
})

test('an error that is thrown rather than rejected releases the job, too', async () => {
  const run = ({ no }: TestJob): Promise<number> => {
    if (no === 1) throw new Error('broken')
    return Promise.resolve(no)
  }
  const { worker, released, stored } = started({ a: [1, 2] }, { run })
  await worker.idle()
  expect([released, stored]).toEqual([[1], [2]])
})

test('stop does not wait for jobs in flight longer than its timeout', async () => {
  let isRunning = false
  const run = () => {
    isRunning = true
    return new Promise<number>(() => undefined)
  }
  const { worker, stored } = started({ a: [1] }, { run }, { stopTimeoutMs: 10 })
  await until('job in flight', () => isRunning)
  await worker.stop()
  expect(stored).toEqual([])
})

test('a retry schedule repeats its last delay until the last attempt', () => {
  const schedule = { delaysMs: [1, 5, 15], maxAttempts: 6 }
  expect([1, 2, 3, 4, 5, 6, 7].map((failures) => retryDelayMs(schedule, failures))).toEqual([
    1,
    5,
    15,
    15,
    15,
    undefined,
    undefined,
  ])
})
