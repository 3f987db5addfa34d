import { type BackgroundJob, repeat } from '../../kernel/jobs/background-jobs.ts'
import { type NoticeSenderOptions, noticeSender, resetStuckNotices } from './notice-sender.ts'
import { hasDueNotice } from './notices.service.ts'
import { queueKeyExpiryNotices } from './queue-notices.ts'

/** Interval of checks for due notices. Other processes and the command line queue notices, too. */
const sendEveryMs = 1000
/** Interval of checks for expiring keys and stuck notices. */
const upkeepEveryMs = 60 * 1000

/** Starts to send notices as they are queued and to queue notices about expiring keys. */
export function startNoticeJobs(options: NoticeSenderOptions): BackgroundJob {
  const { db, clock, log } = options
  const sender = noticeSender(options)
  const sendDue = (): Promise<void> =>
    sender.sendDue().catch((error) => log.warn({ err: error }, 'Notices could not be sent'))

  const sending = repeat(
    {
      name: 'send notices',
      everyMs: sendEveryMs,
      atStart: false,
      logOnce: true,
      run: async () => {
        // Not awaited: sending may take long, and notices queued in the meantime must not wait for it.
        if (await hasDueNotice(db, clock.nowMs())) void sendDue()
      },
    },
    log,
  )
  const upkeep = repeat(
    {
      name: 'queue notices about expiring API keys',
      everyMs: upkeepEveryMs,
      run: async () => {
        await resetStuckNotices(db, clock.nowMs())
        await queueKeyExpiryNotices(db, clock.nowMs())
      },
    },
    log,
  )
  return {
    stop: async () => {
      await Promise.all([sending.stop(), upkeep.stop()])
      await sender.stop()
    },
  }
}
