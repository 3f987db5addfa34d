import type { SignInState } from '@muster/contract/console/console-session'
import { ApiError } from '@muster/contract/errors'
import { type AdministratorRow, updateAdministrator } from '../storage/administrators.ts'
import type { Tx } from '../storage/sql.ts'
import { secondFactorsOf, signInState } from './administrator-view.ts'
import type { ConsoleCall } from './console-bind.ts'
import type { ConsoleParts } from './console-parts.ts'
import { beginSession, findLiveSession } from './console-sessions.ts'

/** One answer for every wrong proof. */
export const signInFailed = (): ApiError =>
  new ApiError('sign_in_failed', 'That is not right. Check it and try again.')

/** Begins a session for somebody whose first proof was right: whole, or up to the second step if there is one. */
export async function enter(
  parts: ConsoleParts,
  call: ConsoleCall,
  administrator: AdministratorRow,
  work: (tx: Tx) => Promise<void> = async () => {},
): Promise<SignInState> {
  const { nowSeconds } = call.origin
  const token = await parts.db.inTransaction(async (tx) => {
    await work(tx)
    const whole = (await secondFactorsOf(tx, administrator)).length === 0
    if (whole)
      await updateAdministrator(tx, administrator.org, administrator.id, { lastSignInTimestamp: nowSeconds })
    return beginSession(tx, administrator, call.origin, {
      stage: whole ? 'ACTIVE' : 'SECOND_FACTOR',
      authenticatedTimestamp: nowSeconds,
      before: call.found?.session,
    })
  })
  return given(parts, call, token)
}

/** Gives the browser a session that has begun, and says what it is. */
async function given(parts: ConsoleParts, call: ConsoleCall, token: string): Promise<SignInState> {
  call.setSession(token)
  return signInState(parts, await findLiveSession(parts.db, token, call.origin.nowSeconds))
}

/** Takes a proof of who is half or wholly signed in: counted, refused if wrong, and rewarded with a new session. */
export async function prove(
  parts: ConsoleParts,
  call: ConsoleCall,
  what: 'factor' | 'reauthenticate',
  isRight: () => Promise<boolean>,
): Promise<SignInState> {
  const { administrator, session } = call.caller
  const { org, id } = administrator
  const { nowSeconds, address } = call.origin
  const attempt = await parts.attempts.begin(`${what} ${org} ${id}`, address, nowSeconds)
  if (!(await isRight())) throw signInFailed()
  await attempt.succeeded()
  const token = await parts.db.inTransaction(async (tx) => {
    if (what === 'factor') await updateAdministrator(tx, org, id, { lastSignInTimestamp: nowSeconds })
    return beginSession(tx, administrator, call.origin, {
      stage: 'ACTIVE',
      authenticatedTimestamp: nowSeconds,
      before: session,
      continues: what === 'reauthenticate',
    })
  })
  return given(parts, call, token)
}
