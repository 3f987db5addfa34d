import type { Account, AccountUser } from '@muster/contract/account'
import type { CollectionName } from '@muster/contract/api'

/** A value of a private column. */
type PrivateValue = string | number | null | Uint8Array

/** What a row is made of besides its public record. */
export interface ImportedRow {
  readonly id: string
  readonly record: Readonly<Record<string, unknown>>
  readonly internal: Readonly<Record<string, PrivateValue>>
  readonly hidden: boolean
  readonly createdAtSeconds: number
}

/** The row of a record that came from outside, for every collection but `usedBy`. */
export function importedRow(name: CollectionName, record: Readonly<Record<string, unknown>>): ImportedRow {
  return {
    id: String(record.id),
    record,
    internal: {},
    // Lists leave merged employees out (REST contract, Employee).
    hidden: name === 'employees' && record.mergedIntoId !== null,
    createdAtSeconds: Number(record.creationTimestamp),
  }
}

/** The id of the row that says that an employee uses an account. */
export const usedById = (accountId: string, employeeId: string): string => `${accountId}:${employeeId}`

/**
 * The row that says that an employee uses an account. Its place in the order of creation begins with the second of the
 * account, so that the order of the users of an account is that in which they came.
 */
export function usedByRow(
  accountId: string,
  { employeeId, lastUsedTimestamp, passwordManuallyTyped }: AccountUser,
  createdAtSeconds: number,
): ImportedRow {
  return {
    id: usedById(accountId, employeeId),
    record: { employeeId, lastUsedTimestamp, passwordManuallyTyped },
    internal: {
      accountId,
      employeeId,
      owner: employeeId,
      observedLastUsed: lastUsedTimestamp,
      observedTyped: passwordManuallyTyped === null ? null : Number(passwordManuallyTyped),
    },
    hidden: false,
    createdAtSeconds,
  }
}

type InternalColumns = Readonly<Record<string, PrivateValue>>

/**
 * The private columns of a row that is replaced. What was observed of somebody who is merged by now stays as it is: the
 * record that comes is that of the primary, who stands for both.
 */
export function mergedInternalColumns(before: InternalColumns, after: InternalColumns): InternalColumns {
  const ofAnother = typeof before.owner === 'string' && before.owner !== after.owner
  return ofAnother ? before : { ...before, ...after }
}

/** An account is used by the employee it was observed with, whether or not that is said elsewhere. */
export function primaryUserRow({ record, internal }: ImportedRow): ImportedRow {
  const { id, employeeId, lastUsedTimestamp, creationTimestamp } = record as unknown as Account
  const owner = typeof internal.owner === 'string' ? internal.owner : employeeId
  const use = { employeeId: owner, lastUsedTimestamp, passwordManuallyTyped: null }
  const row = usedByRow(id, use, creationTimestamp)
  if (owner === employeeId) return row
  return { ...row, record: { ...use, employeeId }, internal: { ...row.internal, employeeId } }
}
