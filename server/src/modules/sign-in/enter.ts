import type { SignInState } from '@muster/contract/console/console-session'
import { ApiError } from '@muster/contract/errors'
import type { Tx } from '../../kernel/store/sql.ts'
import { secondFactorsOf, signInState } from '../administrators/administrator-view.ts'
import {
  type AdministratorRow,
  lockAdministrator,
  updateAdministrator,
} from '../administrators/administrators.service.ts'
import type { ConsoleCall } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { beginSession, findLiveSession } from '../console/console-sessions.ts'
import { knownBrowser } from './known-browser.ts'
import { removeSession } from './sessions.service.ts'
import { type SignInMethod, tellSignIn } from './sign-in-audit.ts'

/** One answer for every wrong proof. */
export const signInFailed = (): ApiError =>
  new ApiError('sign_in_failed', 'That is not right. Check it and try again.')

/**
 * Begins a session for somebody whose first proof was right: whole, or up to the second step if there is one.
 *
 * @param administrator as they were when the proof was checked, or as they will be if it makes them one
 * @param work done in the same transaction, which also tells the audit trail of it; a sign-in that is whole has no
 * further step that would. It is told who the administrator is by now, undefined for nobody, and lets the proof count
 * by not throwing
 */
export async function enter(
  parts: ConsoleParts,
  call: ConsoleCall,
  administrator: AdministratorRow,
  work: (tx: Tx, whole: boolean, now: AdministratorRow | undefined) => Promise<void>,
): Promise<SignInState> {
  const { nowSeconds } = call.origin
  const token = await parts.db.inTransaction(async (tx) => {
    const now = await lockAdministrator(tx, administrator.org, administrator.id)
    const whole = (await secondFactorsOf(tx, now ?? administrator)).length === 0
    await work(tx, whole, now)
    if (whole)
      await updateAdministrator(tx, administrator.org, administrator.id, { lastSignInTimestamp: nowSeconds })
    // Whether or not it has ended already: it proves nothing here, and may be another person's.
    if (call.found) await removeSession(tx, call.found.session.hash)
    return beginSession(tx, administrator, call.origin, {
      stage: whole ? 'ACTIVE' : 'SECOND_FACTOR',
      authenticatedTimestamp: nowSeconds,
    })
  })
  return given(parts, call, token)
}

/** Gives the browser a session that has begun, and says what it is; one that is whole makes the browser known. */
async function given(parts: ConsoleParts, call: ConsoleCall, token: string): Promise<SignInState> {
  call.setSession(token)
  const found = await findLiveSession(parts.db, token, call.origin.nowSeconds)
  if (found?.session.stage === 'ACTIVE')
    call.setBrowser(knownBrowser(parts.keys.consoleSecrets, found.administrator))
  return signInState(parts, found)
}

/**
 * Takes a proof of who is half or wholly signed in: counted, refused if wrong, and rewarded with a new session.
 *
 * @throws ApiError sign_in_failed, rate_limited; signed_out if the session has ended while the proof was checked
 */
export async function prove(
  parts: ConsoleParts,
  call: ConsoleCall,
  what: 'factor' | 'reauthenticate',
  method: SignInMethod,
  isRight: () => Promise<boolean>,
): Promise<SignInState> {
  const { administrator, session } = call.caller
  const { org, id } = administrator
  const { nowSeconds, address } = call.origin
  if (!(await parts.attempts.check(`${what} ${org} ${id}`, address, nowSeconds, isRight))) {
    await parts.failedSignIns.tell(call.origin, { org, email: administrator.email, method })
    throw signInFailed()
  }
  const token = await parts.db.inTransaction(async (tx) => {
    await lockAdministrator(tx, org, id)
    if (what === 'factor') {
      await updateAdministrator(tx, org, id, { lastSignInTimestamp: nowSeconds })
      await tellSignIn(tx, administrator, call.origin, method)
    }
    return beginSession(tx, administrator, call.origin, {
      stage: 'ACTIVE',
      authenticatedTimestamp: nowSeconds,
      before: session,
      continues: what === 'reauthenticate',
    })
  })
  return given(parts, call, token)
}
