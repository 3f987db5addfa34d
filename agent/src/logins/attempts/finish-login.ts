import { inTurn, type SessionValue, sessionValue } from '../../state/session-value.ts'
import { completePasswordLogin, newUuid, type SlowChecks, unchecked } from '../complete-login.ts'
import type { LoginDeps } from '../login-deps.ts'
import type { PendingAttempt } from './attempt.ts'

/**
 * Logins that succeeded and are not in the outbox yet. The browser may end the background while their look-ups
 * run; the next one reports them then, without what look-ups that were not done would have told.
 */
interface FinishedLogin {
  readonly attempt: PendingAttempt
  readonly identity: string
  /** What its checks had said by then; null if they were under way. */
  readonly checked: SlowChecks | null
}

const finished: SessionValue<Readonly<Record<string, FinishedLogin>>> = sessionValue('logins.finished', {})
const turn = inTurn()
/** Those that this very background reports. */
const own = new Set<string>()

/** Keeps a login that succeeded, and reports it when its checks are made; does not wait for that. */
export async function finishLogin(
  deps: LoginDeps,
  login: FinishedLogin,
  checking: Promise<SlowChecks>,
): Promise<void> {
  const key = newUuid()
  own.add(key)
  await turn(async () => finished.write({ ...(await finished.read()), [key]: login }))
  // Look-ups may take their time; what other tabs do must not wait for them.
  checking.then((made) => reportFinished(deps, key, login, made)).catch(() => undefined)
}

/** Reports what an earlier background left. To be called once, when the background starts. */
export async function finishLeftLogins(deps: LoginDeps): Promise<void> {
  for (const [key, login] of Object.entries(await finished.read()))
    if (!own.has(key)) await reportFinished(deps, key, login, login.checked ?? unchecked)
}

async function reportFinished(
  deps: LoginDeps,
  key: string,
  { attempt, identity }: FinishedLogin,
  checks: SlowChecks,
): Promise<void> {
  await completePasswordLogin(deps, attempt, identity, checks)
  await turn(async () => {
    const { [key]: _, ...others } = await finished.read()
    await finished.write(others)
  })
}
