import type { SavedFilter } from '@muster/contract/console/console-inventory'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Administrator that the filters belong to. */
export interface FilterOwner {
  readonly org: number
  readonly administratorId: string
}

const columns = 'id, list, name, query, creation_timestamp AS "creationTimestamp"'

/** Returns the saved filters of an administrator, sorted by name. */
export const listSavedFilters = (db: Reader, { org, administratorId }: FilterOwner): Promise<SavedFilter[]> =>
  db.all<SavedFilter>(
    `SELECT ${columns} FROM saved_filters WHERE org = ? AND administrator_id = ? ORDER BY name, list`,
    [org, administratorId],
  )

/** Saves a filter. One of the same list and name is updated and keeps its ID. */
export async function upsertSavedFilter(
  tx: Tx,
  { org, administratorId }: FilterOwner,
  filter: SavedFilter,
): Promise<SavedFilter> {
  const { id, list, name, query, creationTimestamp } = filter
  await tx.insert(
    'saved_filters',
    ['org', 'administrator_id', 'id', 'list', 'name', 'query', 'creation_timestamp'],
    [[org, administratorId, id, list, name, query, creationTimestamp]],
    'ON CONFLICT (org, administrator_id, list, name) DO UPDATE SET query = excluded.query',
  )
  const saved = await tx.get<SavedFilter>(
    `SELECT ${columns} FROM saved_filters WHERE org = ? AND administrator_id = ? AND list = ? AND name = ?`,
    [org, administratorId, list, name],
  )
  return saved ?? filter
}

/** Returns false if there was none. */
export const removeSavedFilter = async (
  tx: Tx,
  { org, administratorId }: FilterOwner,
  id: string,
): Promise<boolean> =>
  (await tx.run('DELETE FROM saved_filters WHERE org = ? AND administrator_id = ? AND id = ?', [
    org,
    administratorId,
    id,
  ])) > 0
