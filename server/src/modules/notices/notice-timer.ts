import { type NoticeSenderOptions, noticeSender, resetStuckNotices } from './notice-sender.ts'
import { hasDueNotice } from './notices.service.ts'
import { queueKeyExpiryNotices } from './queue-notices.ts'

/** How often it is looked for notices: other processes and the command line queue them, too. */
const lookEveryMs = 1000
/** How often it is looked for keys that expire, and for messages that are stuck. */
const upkeepEveryMs = 60 * 1000

/** Sends notices from now on as they are queued, and queues those for keys that expire. */
export function noticeTimer(options: NoticeSenderOptions): { stop(): Promise<void> } {
  const { db, clock, log } = options
  const sender = noticeSender(options)
  let looking: Promise<void> | undefined
  let warned = false

  const guarded = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      warned = false
    } catch (error) {
      // Once while it lasts: it is looked again every second.
      if (!warned) log.warn({ err: error }, 'notices were not looked after')
      warned = true
    }
  }
  const look = (): void => {
    looking ??= guarded(async () => {
      // What is being sent may take long; what is queued meanwhile need not wait for it.
      if (await hasDueNotice(db, clock.nowMs())) void guarded(() => sender.sendDue())
    }).finally(() => {
      looking = undefined
    })
  }
  const keepUp = () =>
    void guarded(async () => {
      await resetStuckNotices(db, clock.nowMs())
      await queueKeyExpiryNotices(db, clock.nowMs())
    })

  const timers = [setInterval(look, lookEveryMs), setInterval(keepUp, upkeepEveryMs)]
  keepUp()
  return {
    stop: async () => {
      timers.forEach(clearInterval)
      await looking
      await sender.stop()
    },
  }
}
