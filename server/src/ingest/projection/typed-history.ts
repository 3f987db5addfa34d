import type { LoginEvent } from '@muster/contract/agent-event'
import type { FindingBook } from '../../features/findings/finding-book.ts'
import {
  passwordManagerNotUsed,
  type TypedLogin,
  withTypedLogin,
} from '../../findings/password-manager-not-used.ts'
import type { BatchContext } from '../batch-context.ts'

/** What is kept of how an employee enters passwords: the last logins, and whether they have opened the finding. */
interface TypedHistory {
  readonly logins: readonly TypedLogin[]
  readonly open: boolean
}

const historyOf = (text: unknown): TypedHistory =>
  typeof text === 'string' ? (JSON.parse(text) as TypedHistory) : { logins: [], open: false }

/** Remembers whether the passwords of logins were typed by hand, and settles what follows from it. */
export async function settleTypedLogins(
  context: BatchContext,
  logins: readonly LoginEvent[],
  book: FindingBook,
): Promise<void> {
  const { employee, batch, shown, terms } = context
  const typed = logins.flatMap(({ timestamp, loginType, password }): TypedLogin[] =>
    loginType === 'PASSWORD_LOGIN' && password !== null && password.manuallyTyped !== null
      ? [[timestamp, password.manuallyTyped]]
      : [],
  )
  if (typed.length === 0) return
  const before = historyOf(employee.privates.typedHistory)
  const history = typed.reduce(withTypedLogin, [...before.logins])
  const wanted = passwordManagerNotUsed(history, terms.controls.thresholds.typedLogins)
  employee.privates = {
    ...employee.privates,
    typedHistory: JSON.stringify({ logins: history, open: wanted.open } satisfies TypedHistory),
  }
  if (wanted.open === before.open) return
  const of = { observedId: batch.employeeId, shownId: shown.id }
  await book.loadEmployee(of)
  book.settleEmployee('PASSWORD_MANAGER_NOT_USED', of, wanted)
}
