import { type BackgroundJob, jobSet } from '../../kernel/jobs/background-jobs.ts'
import { type NoticeSenderOptions, resetStuckNotices, startNoticeSender } from './notice-sender.ts'
import { queueKeyExpiryNotices } from './queue-notices.ts'

/** Interval of checks for expiring keys and stuck notices. */
const upkeepEveryMs = 60 * 1000

/** Starts to send notices as they are queued and to queue notices about expiring keys. */
export function startNoticeJobs(options: NoticeSenderOptions): BackgroundJob {
  const { db, clock, log } = options
  const jobs = jobSet(log)
  jobs.add(startNoticeSender(options))
  jobs.repeat({
    name: 'queue notices about expiring API keys',
    everyMs: upkeepEveryMs,
    run: async () => {
      await resetStuckNotices(db, clock.nowMs())
      await queueKeyExpiryNotices(db, clock.nowMs())
    },
  })
  return jobs
}
