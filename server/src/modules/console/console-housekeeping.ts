import { sessionIdleSeconds } from '@muster/contract/console/session-limits'
import type { Db } from '../../kernel/store/sql.ts'
import { removeOldInvitations } from '../administrators/invitations.service.ts'
import { removeOldKeyHours } from '../api-keys/api-key-hours.service.ts'
import { removeOldSessions } from '../sign-in/sessions.service.ts'
import { removeOldFailures } from '../sign-in/sign-in-failures.service.ts'
import { sessionSeconds } from './console-sessions.ts'

const daySeconds = 24 * 60 * 60
/** Retention of the hourly request counts of keys. */
const keyHoursDays = 400

/** Removes ended sessions, expired links, old failed attempts and old request counts. */
export const cleanUpConsole = (db: Db, nowSeconds: number): Promise<void> =>
  db.inTransaction(async (tx) => {
    await removeOldSessions(tx, nowSeconds - sessionSeconds, nowSeconds - sessionIdleSeconds)
    await removeOldInvitations(tx, nowSeconds)
    await removeOldFailures(tx, nowSeconds - 2 * daySeconds)
    await removeOldKeyHours(tx, nowSeconds - keyHoursDays * daySeconds)
  })
