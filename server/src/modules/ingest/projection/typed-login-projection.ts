import type { LoginEvent } from '@muster/contract/agent/agent-event'
import { otherTypedLoginHistories } from '../../employees/typed-logins.ts'
import type { FindingWriter } from '../../findings/finding-writer.ts'
import type { TypedLogin } from '../../findings/types/finding-type.ts'
import {
  latestTypedLogins,
  parseTypedLoginHistory,
  passwordManagerNotUsed,
  type TypedLoginHistory,
} from '../../findings/types/password-manager-not-used.ts'
import type { BatchContext } from '../batch-context.ts'

/** Stores which passwords the employee typed by hand and evaluates the finding that depends on it. */
export async function evaluateTypedLogins(
  { tx, batch, employee, primary, settings }: BatchContext,
  logins: readonly LoginEvent[],
  writer: FindingWriter,
): Promise<void> {
  const typed = logins.flatMap(({ timestamp, loginType, password }): TypedLogin[] =>
    loginType === 'PASSWORD_LOGIN' && password !== null && password.manuallyTyped !== null
      ? [[timestamp, password.manuallyTyped]]
      : [],
  )
  if (typed.length === 0) return
  const before = parseTypedLoginHistory(employee.internal.typedHistory)
  const own = latestTypedLogins([...before.logins, ...typed])
  const others = await otherTypedLoginHistories(tx, batch.org, primary, employee.id)
  const all = latestTypedLogins([...own, ...others.flatMap((history) => history.logins)])
  const { thresholds } = settings.controls
  const verdict = passwordManagerNotUsed.decide({ logins: all, thresholds })
  const settled = others.length > 0 ? undefined : (verdict?.open ?? before.settled)
  employee.internal = {
    ...employee.internal,
    typedHistory: JSON.stringify({ logins: own, settled } satisfies TypedLoginHistory),
  }
  // Skip the read of the findings if the verdict is the stored one.
  if (verdict === undefined || (settled !== undefined && settled === before.settled)) return
  await writer.loadEmployee(primary.id)
  writer.applyToEmployee(passwordManagerNotUsed.type, primary.id, verdict)
}
