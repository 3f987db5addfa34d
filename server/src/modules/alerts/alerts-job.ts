import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { eachOrThrow } from '../../kernel/lib/all-settled.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { firstIdOf } from '../../kernel/lib/secrets/id.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { resendFailedInRange } from '../webhooks/webhook-log.service.ts'
import { forgetReportedGroups } from './alert-items.store.ts'
import { alertOrganizations, listAlertRules } from './alert-rules.service.ts'
import { alertsLock, routeEvents, type TimeZoneOf } from './route-events.ts'
import { findSilentAgents } from './silent-agents.ts'
import { writeMessages } from './write-messages.ts'

export interface AlertJobOptions {
  readonly db: Db
  readonly clock: Clock
  readonly publicUrl: string
  readonly timeZoneOf: TimeZoneOf
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Longer than a week, after which no detection belongs to a reported incident. */
const groupsKeptMs = 14 * dayMs

/** Routes events to rules and writes messages every second. */
export const alertsJob = ({ db, clock, publicUrl, timeZoneOf }: AlertJobOptions): RepeatOptions => ({
  name: 'alerts',
  everyMs: 1000,
  logOnce: true,
  run: (signal) =>
    eachOrThrow(
      [
        () => routeEvents(db, clock.nowMs(), timeZoneOf, signal),
        () => writeMessages(db, clock.nowMs(), publicUrl, signal),
      ],
      (step) => step(),
    ),
})

/** Finds silent agents every five minutes. */
export const silentAgentsJob = ({
  db,
  clock,
  timeZoneOf,
}: Pick<AlertJobOptions, 'db' | 'clock' | 'timeZoneOf'>): RepeatOptions => ({
  name: 'silent agents',
  everyMs: 5 * minuteMs,
  run: () => findSilentAgents(db, clock.nowMs(), timeZoneOf),
})

/**
 * Sends messages of the last day again that failed, so that an outage of a receiver for some hours, or a wrong URL that is
 * corrected, loses none. Forgets old incidents.
 */
export async function retryFailedAlerts(db: Db, nowMs: number): Promise<void> {
  const range = [firstIdOf(nowMs - dayMs), firstIdOf(nowMs)] as const
  await eachOrThrow(await alertOrganizations(db), (org) =>
    db.inTransaction(async (tx) => {
      await tx.lock(alertsLock(org))
      for (const { endpoint } of await listAlertRules(tx, org))
        if (endpoint.enabled) await resendFailedInRange(tx, { org, webhookId: endpoint.id }, range, nowMs)
    }),
  )
  await db.inTransaction((tx) => forgetReportedGroups(tx, Math.floor((nowMs - groupsKeptMs) / 1000)))
}

/** Repeats failed messages every hour. */
export const alertRetryJob = ({ db, clock }: Pick<AlertJobOptions, 'db' | 'clock'>): RepeatOptions => ({
  name: 'failed alerts',
  everyMs: hourMs,
  atStart: false,
  run: () => retryFailedAlerts(db, clock.nowMs()),
})
