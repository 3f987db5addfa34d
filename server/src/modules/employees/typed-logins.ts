import { type Employee, employees } from '@muster/contract/employee'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { getRecord, recordsWhere, type Stored, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { openFindingBook } from '../findings/finding-book.ts'
import {
  lastTypedLogins,
  passwordManagerNotUsed,
  type TypedHistory,
  typedHistoryOf,
} from '../findings/types/password-manager-not-used.ts'

/** All employees who are one person: the one who is shown, and those merged into it. */
async function personOf(tx: Tx, org: number, shownId: string): Promise<Stored<Employee>[]> {
  const shown = await getRecord(tx, employees, org, shownId)
  return [...(shown ? [shown] : []), ...(await recordsWhere(tx, employees, org, 'mergedIntoId', shownId))]
}

const historyOf = ({ internal }: Stored<Employee>): TypedHistory => typedHistoryOf(internal.typedHistory)

/** How the others enter passwords who are one person with an employee; who has no further address is nobody else. */
export async function othersOfPerson(
  tx: Tx,
  org: number,
  shown: Employee,
  employeeId: string,
): Promise<TypedHistory[]> {
  if (shown.secondaryEmails.length === 0) return []
  const person = await personOf(tx, org, shown.id)
  return person.filter(({ id }) => id !== employeeId).map(historyOf)
}

/** Settles whether somebody types passwords by hand who has become one person with others, or stands alone again. */
export async function settleTypedLogins(
  tx: Tx,
  org: number,
  shownId: string,
  nowSeconds: number,
): Promise<void> {
  const person = await personOf(tx, org, shownId)
  const logins = lastTypedLogins(person.flatMap((one) => historyOf(one).logins))
  const { typedLogins } = (await readControls(tx, org)).thresholds
  const book = openFindingBook(tx, org, nowSeconds, () => newId(nowSeconds * 1000))
  await book.loadEmployee(shownId)
  book.settleEmployee('PASSWORD_MANAGER_NOT_USED', shownId, passwordManagerNotUsed(logins, typedLogins))
  await book.write()
  // What each was settled to alone is not known any more.
  for (const one of person) {
    const { logins: kept, settled } = historyOf(one)
    if (settled === undefined) continue
    const typedHistory = JSON.stringify({ logins: kept } satisfies TypedHistory)
    await updateRecord(tx, employees, org, one, { internal: { typedHistory } })
  }
}
