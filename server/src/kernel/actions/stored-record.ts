import type { Collection, RecordOf } from '@muster/contract/collection'
import { notFound } from '@muster/contract/errors'
import { getRecord, type Stored } from '../store/records.ts'
import type { Tx } from '../store/sql.ts'

/**
 * The record that an action is about.
 *
 * @throws ApiError not_found, the same for whatever names no record of the organization
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
