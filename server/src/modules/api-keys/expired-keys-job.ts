import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { recordExpiredKeys } from './record-expired-keys.ts'

/** Frequent enough that the audit trail shows the expiry of a key within a minute. */
const defaultEveryMs = 60 * 1000

/** Audits expired keys at start and every minute. */
export const expiredKeysJob = (
  { db, clock }: { db: Db; clock: Clock },
  everyMs = defaultEveryMs,
): RepeatOptions => ({
  name: 'audit expired API keys',
  everyMs,
  run: () => recordExpiredKeys(db, unixSeconds(clock)),
})
