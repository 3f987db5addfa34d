import { forgetOldAnswers } from '../../kernel/actions/idempotency.ts'
import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { cleanUpConsole } from '../console/console-housekeeping.ts'
import { deleteOldNotices } from '../notices/queue-notices.ts'
import { cleanUpWebhooks } from '../webhooks/webhook-retention.service.ts'

/** Deletes expired idempotency keys, sessions, delivery logs and notices every hour. */
export const cleanupJob = ({ db, clock }: { db: Db; clock: Clock }): RepeatOptions => ({
  name: 'clean up expired data',
  everyMs: 60 * 60 * 1000,
  atStart: false,
  run: async (signal) => {
    await db.inTransaction((tx) => forgetOldAnswers(tx, unixSeconds(clock)))
    signal.throwIfAborted()
    await cleanUpConsole(db, unixSeconds(clock))
    signal.throwIfAborted()
    await cleanUpWebhooks(db, clock.nowMs(), signal)
    signal.throwIfAborted()
    await deleteOldNotices(db, unixSeconds(clock))
  },
})
