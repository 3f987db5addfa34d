import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { notFound } from '@muster/contract/api/errors'
import { getRecord, type Stored } from '../store/records.ts'
import type { Tx } from '../store/sql.ts'

/**
 * Returns the record that an action changes.
 *
 * @throws ApiError not_found if the organization has no such record
 */
export async function requireRecord<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  id: string,
): Promise<Stored<RecordOf<C>>> {
  const stored = await getRecord(tx, collection, org, id)
  if (!stored) throw notFound()
  return stored
}
