import { type SessionValue, sessionValue, taskQueue } from '../../state/session-value.ts'
import { completePasswordLogin, newUuid, type SlowChecks, unchecked } from '../complete-login.ts'
import type { LoginDeps } from '../login-deps.ts'
import type { PendingAttempt } from './attempt.ts'

/**
 * Successful login that is not in the outbox yet. The browser may stop the background while the password checks run.
 * The next background then reports the login without the missing results.
 */
interface FinishedLogin {
  readonly attempt: PendingAttempt
  readonly identity: string
  /** Results of the checks; null while they run. */
  readonly checked: SlowChecks | null
}

const finished: SessionValue<Readonly<Record<string, FinishedLogin>>> = sessionValue('logins.finished', {})
const enqueue = taskQueue()
/** Logins that the current background reports. */
const own = new Set<string>()

/** Stores a successful login and reports it when its checks are done. Does not wait for them. */
export async function finishLogin(
  deps: LoginDeps,
  login: FinishedLogin,
  checking: Promise<SlowChecks>,
): Promise<void> {
  const key = newUuid()
  own.add(key)
  await enqueue(async () => finished.write({ ...(await finished.read()), [key]: login }))
  // Checks may be slow; other tabs must not wait for them.
  checking.then((made) => reportFinished(deps, key, login, made)).catch(() => undefined)
}

/** Reports logins left over from an earlier background. Call once, when the background starts. */
export async function reportLeftoverLogins(deps: LoginDeps): Promise<void> {
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
  await enqueue(async () => {
    const { [key]: _, ...others } = await finished.read()
    await finished.write(others)
  })
}
