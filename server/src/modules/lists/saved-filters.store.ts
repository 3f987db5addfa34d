import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Saved filter as stored. */
export interface SavedFilterRow {
  readonly id: string
  readonly list: string
  readonly name: string
  readonly query: string
  readonly creationTimestamp: number
  /** 1 if all administrators of the organization see it. */
  readonly shared: number
  /** ID of the owner, who may have been removed. */
  readonly ownerId: string
  /** Name of the owner, or the address if there is no name; null if the owner was removed. */
  readonly ownerName: string | null
}

const selected = `SELECT f.id AS id, f.list AS list, f.name AS name, f.query AS query,
    f.creation_timestamp AS "creationTimestamp", f.shared AS shared, f.administrator_id AS "ownerId",
    coalesce(nullif(a.name, ''), a.email) AS "ownerName"
  FROM saved_filters f LEFT JOIN administrators a ON a.org = f.org AND a.id = f.administrator_id
  WHERE f.org = ?`

/** Returns the saved filters of an administrator and those that others share, by name. */
export const listSavedFilters = (
  db: Reader,
  org: number,
  administratorId: string,
): Promise<SavedFilterRow[]> =>
  db.all<SavedFilterRow>(
    `${selected} AND (f.administrator_id = ? OR f.shared = 1) ORDER BY f.name, f.list, f.id`,
    [org, administratorId],
  )

/** Adds a saved filter. */
export const insertSavedFilter = (
  tx: Tx,
  org: number,
  { ownerId, id, list, name, query, creationTimestamp, shared }: SavedFilterRow,
): Promise<unknown> =>
  tx.insert(
    'saved_filters',
    ['org', 'administrator_id', 'id', 'list', 'name', 'query', 'creation_timestamp', 'shared'],
    [[org, ownerId, id, list, name, query, creationTimestamp, shared]],
  )

/** Changes name, query and sharing of a saved filter. */
export const updateSavedFilter = (
  tx: Tx,
  org: number,
  { ownerId, id, name, query, shared }: SavedFilterRow,
): Promise<unknown> =>
  tx.run(
    'UPDATE saved_filters SET name = ?, query = ?, shared = ? WHERE org = ? AND administrator_id = ? AND id = ?',
    [name, query, shared, org, ownerId, id],
  )

export const removeSavedFilter = (tx: Tx, org: number, { ownerId, id }: SavedFilterRow): Promise<unknown> =>
  tx.run('DELETE FROM saved_filters WHERE org = ? AND administrator_id = ? AND id = ?', [org, ownerId, id])
