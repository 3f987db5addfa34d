import type { LoginEvent } from '@muster/contract/agent-event'
import { othersOfPerson } from '../../employees/typed-logins.ts'
import type { FindingBook } from '../../findings/finding-book.ts'
import {
  lastTypedLogins,
  passwordManagerNotUsed,
  type TypedHistory,
  type TypedLogin,
  typedHistoryOf,
} from '../../findings/types/password-manager-not-used.ts'
import type { BatchContext } from '../batch-context.ts'

/** Remembers whether the passwords of logins were typed by hand, and settles what follows from it. */
export async function settleTypedLogins(
  { tx, batch, employee, shown, terms }: BatchContext,
  logins: readonly LoginEvent[],
  book: FindingBook,
): Promise<void> {
  const typed = logins.flatMap(({ timestamp, loginType, password }): TypedLogin[] =>
    loginType === 'PASSWORD_LOGIN' && password !== null && password.manuallyTyped !== null
      ? [[timestamp, password.manuallyTyped]]
      : [],
  )
  if (typed.length === 0) return
  const before = typedHistoryOf(employee.internal.typedHistory)
  const own = lastTypedLogins([...before.logins, ...typed])
  const others = await othersOfPerson(tx, batch.org, shown, employee.id)
  const person = lastTypedLogins([...own, ...others.flatMap((history) => history.logins)])
  const wanted = passwordManagerNotUsed(person, terms.controls.thresholds.typedLogins)
  const settled = others.length > 0 ? undefined : (wanted?.open ?? before.settled)
  employee.internal = {
    ...employee.internal,
    typedHistory: JSON.stringify({ logins: own, settled } satisfies TypedHistory),
  }
  if (wanted === undefined || (settled !== undefined && settled === before.settled)) return
  await book.loadEmployee(shown.id)
  book.settleEmployee('PASSWORD_MANAGER_NOT_USED', shown.id, wanted)
}
