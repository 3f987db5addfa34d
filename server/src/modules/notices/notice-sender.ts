import { randomUUID } from 'node:crypto'
import type { NoticeKind, NoticeState } from '@muster/contract/records/notice'
import type { Logger } from 'pino'
import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { type QueueWorker, startQueue } from '../../kernel/jobs/job-queue.ts'
import type { LaneKey } from '../../kernel/jobs/queue-lane.ts'
import { type RetrySchedule, retryDelayMs } from '../../kernel/jobs/retry-schedule.ts'
import { type Clock, maximumClockSkewMs, unixSeconds } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { lockApiDeprecations } from '../api-versions/api-deprecations.service.ts'
import type { Mail } from './mail.ts'
import { classifyMailFailure } from './mail-failure.ts'
import type { MailerOf } from './mailers.ts'
import { type NoticeOrigin, noticeMail } from './notice-mail.ts'
import {
  deleteNotice,
  hasDueNotice,
  type LeasedNotice,
  leaseNotices,
  markAbandonedInDoubt,
  markSending,
  type NoticeOutcome,
  renewLease,
  resetNoticeTimes,
  settleNotice,
} from './notices.service.ts'
import { queueKeyExpiryNotices } from './queue-notices.ts'

export interface NoticeSenderOptions {
  readonly db: Db
  readonly clock: Clock
  readonly mailerOf: MailerOf
  readonly publicUrl: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Called after every attempt, for metrics. */
  readonly observe?: ((kind: NoticeKind, state: NoticeState) => void) | undefined
  /** Duration of a lease, after which a message of a crashed process is free. */
  readonly leaseMs?: number
}

type QueuedNotice = LeasedNotice & { readonly lane: LaneKey }

interface NoticeAttempt {
  readonly notice: QueuedNotice
  readonly outcome: NoticeOutcome
}

const limits = { minConcurrency: 4, maxConcurrency: 4, maxPrefetch: 0, stopTimeoutMs: 20_000 }
const defaultLeaseMs = 15_000
const minuteMs = 60_000
/** About two weeks of attempts. Servers that use graylisting accept the second or third one. */
const retries: RetrySchedule = {
  delaysMs: [1, 5, 15, 30, 60].map((minutes) => minutes * minuteMs),
  maxAttempts: 340,
}
const crashText =
  'The server stopped before the mail server confirmed this message. It may or may not have been delivered.'
const lane: LaneKey = { name: 'notices' }

/** Resets due times and leases that only a process with a wrong clock can have set. */
export const resetStuckNotices = (db: Db, nowMs: number): Promise<void> => {
  const latestMs = nowMs + maximumClockSkewMs
  const latest = { dueMs: latestMs + Math.max(...retries.delaysMs), leasedUntilMs: latestMs + defaultLeaseMs }
  return db.inTransaction((tx) => resetNoticeTimes(tx, latest, nowMs))
}

/** Job that queues notices about expiring keys and resets stuck notices. */
export const noticeUpkeepJob = ({
  db,
  clock,
  keyExpiryDaysOf,
}: Pick<NoticeSenderOptions, 'db' | 'clock'> & {
  keyExpiryDaysOf?: (org: number) => number
}): RepeatOptions => ({
  name: 'queue notices about expiring API keys',
  everyMs: minuteMs,
  run: async () => {
    await resetStuckNotices(db, clock.nowMs())
    await queueKeyExpiryNotices(db, clock.nowMs(), keyExpiryDaysOf)
  },
})

/**
 * Starts to send due notices. One process at a time leases a notice and renews the lease while it sends. Before the last
 * line goes to the mail server, a transaction that requires the lease marks the row. A marked notice without an outcome,
 * because the process crashed or the connection broke, is in doubt and not sent again automatically (ADR 0020).
 */
export function startNoticeSender(options: NoticeSenderOptions): QueueWorker {
  const { db, clock, mailerOf, publicUrl, log, observe, leaseMs = defaultLeaseMs } = options
  let isStopping = false

  /**
   * Deletes a notice that is obsolete, for example because its holder has no keys. Renders it again under a lock first: a
   * key created in the meantime relies on this notice and has queued no other.
   */
  const deleteOrRender = (notice: LeasedNotice, origin: NoticeOrigin): Promise<Mail | undefined> =>
    db.inTransaction(async (tx) => {
      await lockApiDeprecations(tx)
      const mail = await noticeMail(tx, notice, origin)
      if (!mail) await deleteNotice(tx, notice)
      return mail
    })

  /** @returns undefined if the notice is obsolete or must not be sent any more */
  const send = async (notice: QueuedNotice): Promise<NoticeOutcome | undefined> => {
    const origin = { publicUrl, nowSeconds: unixSeconds(clock) }
    const mail = (await noticeMail(db, notice, origin)) ?? (await deleteOrRender(notice, origin))
    if (!mail) return undefined
    let complete = false
    let refused = false
    try {
      const way = await mailerOf(notice.org).send(mail, async () => {
        refused = isStopping || !(await db.inTransaction((tx) => markSending(tx, notice, unixSeconds(clock))))
        if (refused) throw new Error('the notice must not be sent any more')
        complete = true
      })
      return { state: 'SENT', way, counted: complete }
    } catch (error) {
      if (refused) return undefined
      const { verdict, reason, code } = classifyMailFailure(error, complete)
      const { id, kind } = notice
      log.warn({ noticeId: id, kind, verdict, code }, 'Notices: the mail server did not accept a notice')
      if (verdict === 'IN_DOUBT') return { state: 'IN_DOUBT', error: reason, counted: complete }
      const delayMs = verdict === 'PERMANENT' ? undefined : retryDelayMs(retries, notice.attempts + 1)
      if (delayMs === undefined) return { state: 'FAILED', error: reason, counted: complete }
      return { state: 'PENDING', error: reason, dueMs: clock.nowMs() + delayMs, counted: complete }
    }
  }

  const report = ({ notice: { id, kind }, outcome }: NoticeAttempt): void => {
    observe?.(kind, outcome.state)
    if (outcome.state === 'SENT')
      log.info({ noticeId: id, kind, way: outcome.way }, 'Notices: a notice was sent')
  }

  return startQueue<LaneKey, QueuedNotice, QueuedNotice, NoticeAttempt>(
    {
      name: 'Notices',
      listDue: async () => {
        if (!(await hasDueNotice(db, clock.nowMs()))) return []
        const inDoubt = await db.inTransaction((tx) => markAbandonedInDoubt(tx, clock.nowMs(), crashText))
        if (inDoubt > 0)
          log.warn(
            { notices: inDoubt },
            'Notices: some are in doubt, since their process crashed while sending',
          )
        return [lane]
      },
      // The lease of a notice that was not sent expires: it is not retried at once.
      exchange: async ({ outcomes, requests }) => {
        const nowMs = clock.nowMs()
        const leased = await db.inTransaction(async (tx) => {
          for (const { notice, outcome } of outcomes)
            await settleNotice(tx, notice, outcome, unixSeconds(clock))
          const limit = requests[0]?.limit ?? 0
          const lease = { lease: randomUUID(), untilMs: nowMs + leaseMs, limit }
          return limit === 0 ? [] : leaseNotices(tx, lease, nowMs)
        })
        for (const attempt of outcomes) report(attempt)
        return { leased: leased.map((notice) => ({ ...notice, lane })) }
      },
      load: async (leased) => leased,
      run: async (notice) => {
        const outcome = await send(notice)
        return outcome && { notice, outcome }
      },
      renew: (notices) =>
        db.inTransaction(async (tx) => {
          for (const notice of notices) await renewLease(tx, notice, clock.nowMs() + leaseMs)
        }),
      cancel: () => {
        isStopping = true
      },
    },
    { log, ...limits, renewEveryMs: leaseMs / 3 },
  )
}
