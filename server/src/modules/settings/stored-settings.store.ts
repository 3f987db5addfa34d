import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Stored setting of an organization. */
export interface StoredRow {
  readonly org: number
  /** Name in `muster.toml`. */
  readonly name: string
  /** Text, encrypted if `sealed` is 1. */
  readonly value: string
  readonly sealed: number
}

const columns = 'org, name, value, sealed'

/** Lists the stored settings of one or all organizations. */
export const listStoredRows = (db: Reader, org?: number): Promise<StoredRow[]> =>
  org === undefined
    ? db.all<StoredRow>(`SELECT ${columns} FROM organization_settings ORDER BY org, name`)
    : db.all<StoredRow>(`SELECT ${columns} FROM organization_settings WHERE org = ? ORDER BY name`, [org])

/** Stores a setting. */
export async function putStoredRow(
  tx: Tx,
  { org, name, value, sealed }: StoredRow,
  nowSeconds: number,
): Promise<void> {
  await tx.insert(
    'organization_settings',
    ['org', 'name', 'value', 'sealed', 'changed_timestamp'],
    [[org, name, value, sealed, nowSeconds]],
    `ON CONFLICT (org, name) DO UPDATE SET value = excluded.value, sealed = excluded.sealed,
     changed_timestamp = excluded.changed_timestamp`,
  )
}

/** Removes a setting. */
export async function removeStoredRow(tx: Tx, org: number, name: string): Promise<void> {
  await tx.run('DELETE FROM organization_settings WHERE org = ? AND name = ?', [org, name])
}

const revisionName = 'organization_settings_revision'

/** Returns a text that changes with the stored settings; undefined until the first change. */
export const readRevision = async (db: Reader): Promise<string | undefined> =>
  (await db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [revisionName]))?.value

/** Sets the revision. */
export async function writeRevision(tx: Tx, revision: string): Promise<void> {
  const replace = 'ON CONFLICT (name) DO UPDATE SET value = excluded.value'
  await tx.insert('settings', ['name', 'value'], [[revisionName, revision]], replace)
}
