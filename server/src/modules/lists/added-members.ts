import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { addFigures } from '../apps/app-lists.service.ts'
import { addPriorities, addRisks } from '../risk/risk-members.service.ts'
import { addWork } from '../work/work-lists.service.ts'

/** Adds members to the stored records of a list. */
type AddMembers = (db: Reader, org: number, texts: readonly string[]) => Promise<readonly string[]>

const addedMembers: Readonly<Record<string, AddMembers>> = {
  apps: addFigures,
  employees: (db, org, texts) => addRisks(db, org, 'employees', texts),
  accounts: (db, org, texts) => addRisks(db, org, 'accounts', texts),
  findings: addPriorities,
}

/**
 * Adds the members that a list has in addition to those of its collection.
 *
 * @param texts stored records
 */
export async function withAddedMembers(
  db: Reader,
  request: Pick<SortedRequest, 'collection' | 'org'>,
  nowSeconds: number,
  texts: readonly string[],
): Promise<readonly string[]> {
  const { collection, org } = request
  const added = (await addedMembers[collection.name]?.(db, org, texts)) ?? texts
  return addWork(db, request, nowSeconds, added)
}
