import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { NoticeKind, NoticeState } from '@muster/contract/notice'
import type { Logger } from 'pino'
import { type Clock, maximumClockSkewMs, unixSeconds } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { lockApiDeprecations } from '../api-versions/api-deprecations.service.ts'
import type { Mail, Mailer } from './mail.ts'
import { mailFailureOf } from './mail-failure.ts'
import { type NoticeOrigin, noticeMail } from './notice-mail.ts'
import {
  claimNotice,
  doubtAbandoned,
  dropNotice,
  freeNotices,
  type HeldNotice,
  markSending,
  type NoticeOutcome,
  type NoticeRow,
  renewLease,
  settleNotice,
} from './notices.service.ts'

/** What a sender works with. */
export interface NoticeSenderOptions {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  readonly publicUrl: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Told what came of each attempt. */
  readonly observe?: ((kind: NoticeKind, state: NoticeState) => void) | undefined
  /** For so long a message is held by a process that has died. */
  readonly leaseMs?: number
}

/** Sends the notices that wait. */
export interface NoticeSender {
  /** Sends what is due, several at a time; ends when nothing is due any more that others do not send. */
  sendDue(): Promise<void>
  /** Takes no more, and waits a little for what the mail server was given already. */
  stop(): Promise<void>
}

const lanes = 4
const leaseMsDefault = 15_000
const minuteMs = 60_000
/** After each failed attempt; from then on every hour. A mail server that graylists takes the second or third. */
const retryAfterMs = [1, 5, 15, 30, 60].map((minutes) => minutes * minuteMs)
/** About two weeks of attempts; then it counts as failed. */
const attemptsMaximum = 340
const stopPatienceMs = 20_000

/** Lets go on what waits for a time, or is held until one, that only a clock that was ahead can have set. */
export const freeStuckNotices = (db: Db, nowMs: number): Promise<void> => {
  const latestMs = nowMs + maximumClockSkewMs
  const latest = { dueMs: latestMs + Math.max(...retryAfterMs), leasedUntilMs: latestMs + leaseMsDefault }
  return db.inTransaction((tx) => freeNotices(tx, latest, nowMs))
}

/**
 * Makes what sends notices. Each is taken by one process at a time, under a lease that is renewed while it is sent. Before
 * the last line goes to the mail server, the row is marked in a transaction that succeeds only for the holder of the
 * lease: nobody else can complete it then. What was marked and has no outcome, because the process died or the connection
 * broke, is in doubt, and is not sent again by itself (ADR 0020).
 */
export function noticeSender(options: NoticeSenderOptions): NoticeSender {
  const { db, clock, mailer, publicUrl, log, observe, leaseMs = leaseMsDefault } = options
  const running = new Set<Promise<void>>()
  let stopping = false

  const settle = async (held: HeldNotice, outcome: NoticeOutcome): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.inTransaction((tx) => settleNotice(tx, held, outcome, unixSeconds(clock)))
      } catch (error) {
        log.warn({ err: error, noticeId: held.id }, 'what came of a notice could not be written yet')
        if (stopping && attempt >= 3) return
        await wait(1000)
      }
    }
  }

  /**
   * Drops a notice that has nothing to say. Whoever made a key meanwhile has seen it wait, and queued no other: so it is
   * asked once more when nobody else can, and written after all if there is something.
   */
  const dropOrWrite = (
    notice: NoticeRow,
    held: HeldNotice,
    origin: NoticeOrigin,
  ): Promise<Mail | undefined> =>
    db.inTransaction(async (tx) => {
      await lockApiDeprecations(tx)
      const mail = await noticeMail(tx, notice, origin)
      if (!mail) await dropNotice(tx, held)
      return mail
    })

  const attempt = async (notice: NoticeRow, held: HeldNotice): Promise<NoticeOutcome | 'DROPPED'> => {
    const origin = { publicUrl, nowSeconds: unixSeconds(clock) }
    const mail = (await noticeMail(db, notice, origin)) ?? (await dropOrWrite(notice, held, origin))
    if (!mail) return 'DROPPED'
    let complete = false
    let refused = false
    try {
      const way = await mailer.send(mail, async () => {
        refused = stopping || !(await db.inTransaction((tx) => markSending(tx, held, unixSeconds(clock))))
        if (refused) throw new Error('not to be sent any more')
        complete = true
      })
      return { state: 'SENT', way, counted: complete }
    } catch (error) {
      if (refused) return 'DROPPED'
      const { verdict, said, code } = mailFailureOf(error, complete)
      const { id, kind } = notice
      log.warn({ noticeId: id, kind, verdict, code }, 'a notice was not taken by the mail server')
      if (verdict === 'IN_DOUBT') return { state: 'IN_DOUBT', error: said, counted: complete }
      const failures = notice.attempts + 1
      if (verdict === 'NEVER' || failures >= attemptsMaximum)
        return { state: 'FAILED', error: said, counted: complete }
      const pauseMs = retryAfterMs[Math.min(failures, retryAfterMs.length) - 1] ?? minuteMs
      return { state: 'PENDING', error: said, dueMs: clock.nowMs() + pauseMs, counted: complete }
    }
  }

  const sendOne = async (notice: NoticeRow, lease: string): Promise<void> => {
    const { id, org, kind } = notice
    const held = { org, id, lease }
    const renewing = setInterval(() => {
      db.inTransaction((tx) => renewLease(tx, held, clock.nowMs() + leaseMs)).catch((error) =>
        log.warn({ err: error, noticeId: id }, 'the lease of a notice was not renewed'),
      )
    }, leaseMs / 3)
    try {
      const outcome = await attempt(notice, held)
      if (outcome === 'DROPPED') return
      await settle(held, outcome)
      observe?.(kind, outcome.state)
      if (outcome.state === 'SENT') log.info({ noticeId: id, kind, way: outcome.way }, 'a notice was sent')
    } finally {
      clearInterval(renewing)
    }
  }

  const lane = async (): Promise<void> => {
    while (!stopping) {
      const nowMs = clock.nowMs()
      const lease = randomUUID()
      const notice = await claimNotice(db, { lease, untilMs: nowMs + leaseMs }, nowMs)
      if (!notice) return
      await sendOne(notice, lease)
    }
  }

  const sendDue = async (): Promise<void> => {
    const doubtful = await db.inTransaction((tx) => doubtAbandoned(tx, clock.nowMs(), diedText))
    if (doubtful > 0)
      log.warn({ notices: doubtful }, 'notices are in doubt: their sender ended before the answer')
    while (running.size < lanes && !stopping) {
      const started: Promise<void> = lane().finally(() => running.delete(started))
      running.add(started)
    }
    await Promise.all(running)
  }

  return {
    sendDue,
    stop: async () => {
      stopping = true
      const patience = new AbortController()
      const late = wait(stopPatienceMs, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([Promise.allSettled(running), late])
      patience.abort()
    },
  }
}

const diedText =
  'The process that sent it ended before the mail server had answered: it may have arrived, or not.'
