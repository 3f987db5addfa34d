import type { CollectionName } from '@muster/contract/api'
import { EmployeeCreation } from '@muster/contract/employee'
import { Compile } from 'typebox/schema'
import type { Db } from '../../kernel/store/sql.ts'
import { type DanglingWarning, danglingWatch } from './dangling.ts'
import type { CheckedRecord } from './record-check.ts'

/** What is taken in though it may not be meant: references that name nothing, and addresses that are none. */
export type ImportWarning = DanglingWarning | (Omit<DanglingWarning, 'target'> & { readonly target: null })

/** Watches the records that an import takes in. */
export interface ImportWatch {
  /** Notes what is to be looked at in the end; the records need not be stored yet. */
  see(db: Db, name: CollectionName, records: readonly CheckedRecord[]): Promise<void>
  /** What is to be told, now that all is stored. */
  warnings(db: Db): Promise<ImportWarning[]>
}

/** Watches an import into an organization. */
export function importWatch(org: number): ImportWatch {
  const dangling = danglingWatch(org)
  const addresses = addressWatch()
  return {
    see(db, name, records) {
      if (name === 'employees') addresses.see(records)
      return dangling.see(db, name, records)
    },
    warnings: async (db) => [...addresses.warnings(), ...(await dangling.warnings(db))],
  }
}

/**
 * Watches the addresses of employees. Those that the API would refuse from a client are taken in, since other systems have
 * user names there, and nobody moves in without those people; but no mail and no address of an account will find them.
 */
function addressWatch() {
  const address = Compile(EmployeeCreation.properties.email)
  let count = 0
  let example: ImportWarning['example'] | undefined
  return {
    see(records: readonly CheckedRecord[]): void {
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
