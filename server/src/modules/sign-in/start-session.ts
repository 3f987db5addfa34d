import { ApiError } from '@muster/contract/api/errors'
import type { SignInState } from '@muster/contract/console/console-session'
import type { Tx } from '../../kernel/store/sql.ts'
import { secondFactorsOf, signInState } from '../administrators/administrator-view.ts'
import {
  type AdministratorRow,
  lockAdministrator,
  updateAdministrator,
} from '../administrators/administrators.service.ts'
import type { ConsoleCall } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { authenticateSession, createSession } from '../console/console-sessions.ts'
import { knownBrowser } from './known-browser.ts'
import { removeSession } from './sessions.service.ts'
import { recordSignIn, type SignInMethod } from './sign-in-audit.ts'

/** Returns the error for a failed check. It does not reveal which part was wrong, or whether the account exists. */
export const signInFailed = (detail = 'Wrong e-mail or password.'): ApiError =>
  new ApiError('sign_in_failed', detail)

/**
 * Starts a session after a successful first factor: full if the administrator has no second factor, otherwise limited
 * to the second step.
 *
 * @param administrator the row as it was when the factor was checked, or the row that `work` inserts
 * @param work runs in the same transaction and records the audit event when the session is full. Receives the current
 * row, undefined if there is none, and throws to refuse the sign-in
 */
export async function startSession(
  parts: ConsoleParts,
  call: ConsoleCall,
  administrator: AdministratorRow,
  work: (tx: Tx, isFull: boolean, current: AdministratorRow | undefined) => Promise<void>,
): Promise<SignInState> {
  const { nowSeconds } = call.origin
  const token = await parts.db.inTransaction(async (tx) => {
    const current = await lockAdministrator(tx, administrator.org, administrator.id)
    const isFull = (await secondFactorsOf(tx, current ?? administrator)).length === 0
    await work(tx, isFull, current)
    if (isFull)
      await updateAdministrator(tx, administrator.org, administrator.id, { lastSignInTimestamp: nowSeconds })
    // Always end the previous session of this browser: it may belong to another administrator.
    if (call.found) await removeSession(tx, call.found.session.hash)
    return createSession(tx, administrator, call.origin, {
      stage: isFull ? 'ACTIVE' : 'SECOND_FACTOR',
      authenticatedTimestamp: nowSeconds,
    })
  })
  return deliverSession(parts, call, token)
}

/** Sets the cookies of a new session and returns its state. A full session also marks the browser as known. */
async function deliverSession(parts: ConsoleParts, call: ConsoleCall, token: string): Promise<SignInState> {
  call.setSession(token)
  const found = await authenticateSession(parts.db, token, call.origin.nowSeconds)
  if (found?.session.stage === 'ACTIVE')
    call.setBrowser(knownBrowser(parts.keys.consoleSecrets, found.administrator))
  return signInState(parts, found)
}

/**
 * Verifies a second factor or a re-authentication, with rate limiting, and replaces the session on success.
 *
 * @throws ApiError sign_in_failed, rate_limited; signed_out if the session ended during the check
 */
export async function verifyFactor(
  parts: ConsoleParts,
  call: ConsoleCall,
  purpose: 'factor' | 'reauthenticate',
  method: SignInMethod,
  verify: () => Promise<boolean>,
): Promise<SignInState> {
  const { administrator, session } = call.caller
  const { org, id } = administrator
  const { nowSeconds, address } = call.origin
  if (!(await parts.attempts.check(`${purpose} ${org} ${id}`, address, nowSeconds, verify))) {
    await parts.failedSignIns.record(call.origin, { org, email: administrator.email, method })
    throw signInFailed('Verification failed. Check what you entered and try again.')
  }
  const token = await parts.db.inTransaction(async (tx) => {
    await lockAdministrator(tx, org, id)
    if (purpose === 'factor') {
      await updateAdministrator(tx, org, id, { lastSignInTimestamp: nowSeconds })
      await recordSignIn(tx, administrator, call.origin, method)
    }
    return createSession(tx, administrator, call.origin, {
      stage: 'ACTIVE',
      authenticatedTimestamp: nowSeconds,
      before: session,
      continues: purpose === 'reauthenticate',
    })
  })
  return deliverSession(parts, call, token)
}
