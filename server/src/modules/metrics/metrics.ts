import { noticeKinds } from '@muster/contract/records/notice'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RunReport } from '../../kernel/jobs/background-jobs.ts'
import { version } from '../../kernel/lib/version.ts'

/** Gauges of prom-client that are named like counters, which Prometheus' naming rules forbid. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Outcome of a batch of events, by number of events. */
export interface IngestReport {
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: number
}

export type ServerMetrics = ReturnType<typeof makeMetrics>

/** Creates the Prometheus metrics of this process, with callbacks that count. */
export function makeMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1. The label is the version of Muster.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  const requests = new Counter({
    name: 'muster_http_requests_total',
    help: 'HTTP responses by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the request to the end of the response, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const notices = new Counter({
    name: 'muster_notices_total',
    help: 'Attempts to send a notice, by kind and resulting state.',
    labelNames: ['kind', 'state'],
    registers,
  })
  // From the start, because Prometheus does not see the first increase of a new series.
  for (const kind of noticeKinds) notices.inc({ kind, state: 'FAILED' }, 0)
  return {
    registry,
    observe: (method: string, route: string, status: number, ms: number): void => {
      requests.inc({ method, route, status })
      durations.observe({ route }, ms / 1000)
    },
    observeNotice: (kind: string, state: string): void => notices.inc({ kind, state }),
    ...ingestMetrics(registry),
    ...transactionMetrics(registry),
    observeJob: jobMetrics(registry),
    observeFailedSignIn: failedSignInMetrics(registry),
  }
}

function ingestMetrics(registry: Registry) {
  const outcomes = ['accepted', 'duplicate', 'rejected'] as const
  const events = new Counter({
    name: 'muster_ingest_events_total',
    help: 'Events reported by browsers, by outcome: accepted, duplicate or rejected.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of outcomes) events.inc({ outcome }, 0)
  const lag = new Histogram({
    name: 'muster_ingest_lag_seconds',
    help: 'Time from the event in the browser to its receipt, of accepted events.',
    buckets: [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 604_800],
    registers: [registry],
  })
  return {
    observeIngest: ({ accepted, duplicates, rejected }: IngestReport): void => {
      events.inc({ outcome: 'accepted' }, accepted)
      events.inc({ outcome: 'duplicate' }, duplicates)
      events.inc({ outcome: 'rejected' }, rejected)
    },
    observeIngestLags: (seconds: readonly number[]): void => {
      for (const each of seconds) lag.observe(each)
    },
  }
}

function transactionMetrics(registry: Registry) {
  const durations = new Histogram({
    name: 'muster_database_transaction_duration_seconds',
    help: 'Time from the request for a transaction to its end, including the wait for a connection or the write lock.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  const unfinished = new Gauge({
    name: 'muster_database_transactions_in_progress',
    help: 'Transactions of this process that run, or wait for a connection or the write lock.',
    registers: [registry],
  })
  const failures = new Counter({
    name: 'muster_database_failures_total',
    help: 'Transactions that failed because the database was unavailable or rejected writes.',
    registers: [registry],
  })
  return {
    observeTransactionStart: (): void => unfinished.inc(),
    observeTransactionEnd: (ms: number, isUnavailable: boolean): void => {
      unfinished.dec()
      durations.observe(ms / 1000)
      if (isUnavailable) failures.inc()
    },
  }
}

function jobMetrics(registry: Registry): (report: RunReport) => void {
  // Not `job`, which is a label of Prometheus itself.
  const labelNames = ['name']
  const lastSuccess = new Gauge({
    name: 'muster_job_last_success_timestamp_seconds',
    help: 'Time of the last successful run of a background job in this process.',
    labelNames,
    registers: [registry],
  })
  const lastDuration = new Gauge({
    name: 'muster_job_last_duration_seconds',
    help: 'Duration of the last run of a background job, successful or not.',
    labelNames,
    registers: [registry],
  })
  const failures = new Counter({
    name: 'muster_job_failures_total',
    help: 'Failed runs of background jobs.',
    labelNames,
    registers: [registry],
  })
  return ({ job: name, hasFailed, durationMs }) => {
    lastDuration.set({ name }, durationMs / 1000)
    failures.inc({ name }, hasFailed ? 1 : 0)
    if (!hasFailed) lastSuccess.set({ name }, Math.floor(Date.now() / 1000))
  }
}

function failedSignInMetrics(registry: Registry): (method: string) => void {
  const failures = new Counter({
    name: 'muster_sign_in_failures_total',
    help: 'Failed attempts to sign in to the console, by method.',
    labelNames: ['method'],
    registers: [registry],
  })
  return (method) => failures.inc({ method })
}
