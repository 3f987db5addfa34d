import type { CollectionName } from '@muster/contract/api/api'
import type { Account, AccountUser } from '@muster/contract/records/account'

/** Value of an internal column. */
type PrivateValue = string | number | null | Uint8Array

/** Row to store, with its public record. */
export interface ImportedRow {
  readonly id: string
  readonly record: Readonly<Record<string, unknown>>
  readonly internal: Readonly<Record<string, PrivateValue>>
  readonly hidden: boolean
  readonly createdAtSeconds: number
}

/** Returns the row of an imported record, for every collection but `usedBy`. */
export function importedRow(name: CollectionName, record: Readonly<Record<string, unknown>>): ImportedRow {
  return {
    id: String(record.id),
    record,
    internal: {},
    // Lists leave out merged employees (REST contract, Employee).
    hidden: name === 'employees' && record.mergedIntoId !== null,
    createdAtSeconds: Number(record.creationTimestamp),
  }
}

/** Returns the ID of the row for an employee's use of an account. */
export const usedById = (accountId: string, employeeId: string): string => `${accountId}:${employeeId}`

/**
 * Returns the row for an employee's use of an account. Its sequence starts with the creation time of the account, so the
 * users of an account are sorted by their arrival.
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
 * Returns the internal columns of a replaced row. Observations of an employee who is merged by now are kept: the imported
 * record is that of the primary, which combines both.
 */
export function mergeInternalColumns(before: InternalColumns, after: InternalColumns): InternalColumns {
  const ofAnother = typeof before.owner === 'string' && before.owner !== after.owner
  return ofAnother ? before : { ...before, ...after }
}

/** Returns the row for the use of an account by its own employee, which is implied if not stated elsewhere. */
export function primaryUserRow({ record, internal }: ImportedRow): ImportedRow {
  const { id, employeeId, lastUsedTimestamp, creationTimestamp } = record as unknown as Account
  const owner = typeof internal.owner === 'string' ? internal.owner : employeeId
  const use = { employeeId: owner, lastUsedTimestamp, passwordManuallyTyped: null }
  const row = usedByRow(id, use, creationTimestamp)
  if (owner === employeeId) return row
  return { ...row, record: { ...use, employeeId }, internal: { ...row.internal, employeeId } }
}
