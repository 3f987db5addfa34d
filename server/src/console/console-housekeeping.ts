import { sessionIdleSeconds } from '@muster/contract/console/session-limits'
import { removeOldKeyHours } from '../storage/api-key-hours.ts'
import { removeOldInvitations } from '../storage/invitations.ts'
import { removeOldSessions } from '../storage/sessions.ts'
import { removeOldFailures } from '../storage/sign-in-failures.ts'
import type { Db } from '../storage/sql.ts'
import { sessionSeconds } from './console-sessions.ts'

const daySeconds = 24 * 60 * 60
/** For so long the requests of keys are kept by the hour. */
const keyHoursDays = 400

/** Removes what the console does not need any more: ended sessions, expired links, old failures, old counts. */
export const tidyConsole = (db: Db, nowSeconds: number): Promise<void> =>
  db.inTransaction(async (tx) => {
    await removeOldSessions(tx, nowSeconds - sessionSeconds, nowSeconds - sessionIdleSeconds)
    await removeOldInvitations(tx, nowSeconds)
    await removeOldFailures(tx, nowSeconds - 2 * daySeconds)
    await removeOldKeyHours(tx, nowSeconds - keyHoursDays * daySeconds)
  })
