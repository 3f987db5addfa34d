import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { NoticeKind, NoticeState } from '@muster/contract/records/notice'
import type { Logger } from 'pino'
import { type Clock, maximumClockSkewMs, unixSeconds } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { lockApiDeprecations } from '../api-versions/api-deprecations.service.ts'
import type { Mail, Mailer } from './mail.ts'
import { classifyMailFailure } from './mail-failure.ts'
import { type NoticeOrigin, noticeMail } from './notice-mail.ts'
import {
  claimNotice,
  deleteNotice,
  type LeasedNotice,
  markAbandonedInDoubt,
  markSending,
  type NoticeOutcome,
  type NoticeRow,
  renewLease,
  resetNoticeTimes,
  settleNotice,
} from './notices.service.ts'

export interface NoticeSenderOptions {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  readonly publicUrl: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Called after every attempt, for metrics. */
  readonly observe?: ((kind: NoticeKind, state: NoticeState) => void) | undefined
  /** Duration of a lease, after which a message of a crashed process is free. */
  readonly leaseMs?: number
}

export interface NoticeSender {
  /** Sends all due notices, several at a time. */
  sendDue(): Promise<void>
  /** Starts no more and waits up to 20 s for those being sent. */
  stop(): Promise<void>
}

const concurrency = 4
const defaultLeaseMs = 15_000
const minuteMs = 60_000
/** Delays after failed attempts; the last one repeats. Servers that use graylisting accept the second or third attempt. */
const retryDelaysMs = [1, 5, 15, 30, 60].map((minutes) => minutes * minuteMs)
/** About two weeks of attempts. */
const maxAttempts = 340
const stopTimeoutMs = 20_000

/** Resets due times and leases that only a process with a wrong clock can have set. */
export const resetStuckNotices = (db: Db, nowMs: number): Promise<void> => {
  const latestMs = nowMs + maximumClockSkewMs
  const latest = { dueMs: latestMs + Math.max(...retryDelaysMs), leasedUntilMs: latestMs + defaultLeaseMs }
  return db.inTransaction((tx) => resetNoticeTimes(tx, latest, nowMs))
}

/**
 * Creates a sender. One process at a time leases a notice and renews the lease while it sends. Before the last line goes
 * to the mail server, a transaction that requires the lease marks the row. A marked notice without an outcome, because
 * the process crashed or the connection broke, is in doubt and not sent again automatically (ADR 0020).
 */
export function noticeSender(options: NoticeSenderOptions): NoticeSender {
  const { db, clock, mailer, publicUrl, log, observe, leaseMs = defaultLeaseMs } = options
  const running = new Set<Promise<void>>()
  let stopping = false

  const settle = async (held: LeasedNotice, outcome: NoticeOutcome): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.inTransaction((tx) => settleNotice(tx, held, outcome, unixSeconds(clock)))
      } catch (error) {
        log.warn({ err: error, noticeId: held.id }, 'Notices: an outcome could not be stored and is retried')
        if (stopping && attempt >= 3) return
        await wait(1000)
      }
    }
  }

  /**
   * Deletes a notice that is obsolete, for example because its holder has no keys. Renders it again under a lock first: a
   * key created in the meantime relies on this notice and has queued no other.
   */
  const deleteOrRender = (
    notice: NoticeRow,
    held: LeasedNotice,
    origin: NoticeOrigin,
  ): Promise<Mail | undefined> =>
    db.inTransaction(async (tx) => {
      await lockApiDeprecations(tx)
      const mail = await noticeMail(tx, notice, origin)
      if (!mail) await deleteNotice(tx, held)
      return mail
    })

  const attempt = async (notice: NoticeRow, held: LeasedNotice): Promise<NoticeOutcome | 'DROPPED'> => {
    const origin = { publicUrl, nowSeconds: unixSeconds(clock) }
    const mail = (await noticeMail(db, notice, origin)) ?? (await deleteOrRender(notice, held, origin))
    if (!mail) return 'DROPPED'
    let complete = false
    let refused = false
    try {
      const way = await mailer.send(mail, async () => {
        refused = stopping || !(await db.inTransaction((tx) => markSending(tx, held, unixSeconds(clock))))
        if (refused) throw new Error('the notice must not be sent any more')
        complete = true
      })
      return { state: 'SENT', way, counted: complete }
    } catch (error) {
      if (refused) return 'DROPPED'
      const { verdict, reason, code } = classifyMailFailure(error, complete)
      const { id, kind } = notice
      log.warn({ noticeId: id, kind, verdict, code }, 'Notices: the mail server did not accept a notice')
      if (verdict === 'IN_DOUBT') return { state: 'IN_DOUBT', error: reason, counted: complete }
      const failures = notice.attempts + 1
      if (verdict === 'PERMANENT' || failures >= maxAttempts)
        return { state: 'FAILED', error: reason, counted: complete }
      const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1] ?? minuteMs
      return { state: 'PENDING', error: reason, dueMs: clock.nowMs() + delayMs, counted: complete }
    }
  }

  const sendOne = async (notice: NoticeRow, lease: string): Promise<void> => {
    const { id, org, kind } = notice
    const held = { org, id, lease }
    const renewing = setInterval(() => {
      db.inTransaction((tx) => renewLease(tx, held, clock.nowMs() + leaseMs)).catch((error) =>
        log.warn({ err: error, noticeId: id }, 'Notices: a lease could not be renewed'),
      )
    }, leaseMs / 3)
    try {
      const outcome = await attempt(notice, held)
      if (outcome === 'DROPPED') return
      await settle(held, outcome)
      observe?.(kind, outcome.state)
      if (outcome.state === 'SENT')
        log.info({ noticeId: id, kind, way: outcome.way }, 'Notices: a notice was sent')
    } finally {
      clearInterval(renewing)
    }
  }

  const sendUntilNoneIsDue = async (): Promise<void> => {
    while (!stopping) {
      const nowMs = clock.nowMs()
      const lease = randomUUID()
      const notice = await claimNotice(db, { lease, untilMs: nowMs + leaseMs }, nowMs)
      if (!notice) return
      await sendOne(notice, lease)
    }
  }

  const sendDue = async (): Promise<void> => {
    const inDoubt = await db.inTransaction((tx) => markAbandonedInDoubt(tx, clock.nowMs(), crashText))
    if (inDoubt > 0)
      log.warn({ notices: inDoubt }, 'Notices: some are in doubt, since their process crashed while sending')
    while (running.size < concurrency && !stopping) {
      const started: Promise<void> = sendUntilNoneIsDue().finally(() => running.delete(started))
      running.add(started)
    }
    await Promise.all(running)
  }

  return {
    sendDue,
    stop: async () => {
      stopping = true
      const timeout = new AbortController()
      const timedOut = wait(stopTimeoutMs, undefined, { signal: timeout.signal }).catch(() => {})
      await Promise.race([Promise.allSettled(running), timedOut])
      timeout.abort()
    },
  }
}

const crashText =
  'The server stopped before the mail server confirmed this message. It may or may not have been delivered.'
