import type { CollectionName } from '@muster/contract/api/api'
import { EmployeeCreation } from '@muster/contract/records/employee'
import { Compile } from 'typebox/schema'
import type { Db } from '../../kernel/store/sql.ts'
import { collectReferences, type DanglingWarning } from './dangling-references.ts'
import type { CheckedRecord } from './record-check.ts'

/**
 * Warning about imported data that may be unintended: a dangling reference, or an invalid address (`target` is
 * null).
 */
type ImportWarning = DanglingWarning | (Omit<DanglingWarning, 'target'> & { readonly target: null })

/** Collects warnings about imported records. */
export interface WarningCollector {
  /** Adds records, which need not be stored yet. */
  add(db: Db, name: CollectionName, records: readonly CheckedRecord[]): Promise<void>
  /** Returns the warnings after the import. */
  warnings(db: Db): Promise<ImportWarning[]>
}

export function collectWarnings(org: number): WarningCollector {
  const dangling = collectReferences(org)
  const addresses = collectInvalidAddresses()
  return {
    add(db, name, records) {
      if (name === 'employees') addresses.add(records)
      return dangling.add(db, name, records)
    },
    warnings: async (db) => [...addresses.warnings(), ...(await dangling.warnings(db))],
  }
}

/**
 * Collects employees with an invalid address. The API refuses these, but other systems have user names in place of
 * addresses, and without them a migration is impossible. Such employees get no mail and match no account.
 */
function collectInvalidAddresses() {
  const address = Compile(EmployeeCreation.properties.email)
  let count = 0
  let example: ImportWarning['example'] | undefined
  return {
    add(records: readonly CheckedRecord[]): void {
      for (const { id, email } of records) {
        if (address.Check(email)) continue
        count += 1
        example ??= { id: String(id), value: String(email) }
      }
    },
    warnings: (): ImportWarning[] =>
      example ? [{ resource: 'employees', member: 'email', target: null, count, example }] : [],
  }
}
