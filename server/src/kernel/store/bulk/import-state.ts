import type { Reader, Tx } from '../sql.ts'

/**
 * Tunes the connection of a process that only imports: a larger page cache, and fewer checkpoints, since the same pages
 * change again and again.
 */
export async function tuneForBulk(tx: Tx): Promise<void> {
  if (tx.dialect.name !== 'sqlite') return
  await tx.all('PRAGMA cache_size = -65536')
  await tx.all('PRAGMA wal_autocheckpoint = 8192')
}

/** Returns the position of an import from another server in a resource; undefined if it has not started. */
export async function importPosition(
  reader: Reader,
  org: number,
  source: string,
  resource: string,
): Promise<string | undefined> {
  const sql = 'SELECT position FROM import_positions WHERE org = ? AND source = ? AND resource = ?'
  return (await reader.get<{ position: string }>(sql, [org, source, resource]))?.position
}

/** Saves the position of an import, in the transaction that stores its records. */
export async function saveImportPosition(
  tx: Tx,
  org: number,
  source: string,
  resource: string,
  position: string,
): Promise<void> {
  await tx.run('DELETE FROM import_positions WHERE org = ? AND source = ? AND resource = ?', [
    org,
    source,
    resource,
  ])
  await tx.insert(
    'import_positions',
    ['org', 'source', 'resource', 'position'],
    [[org, source, resource, position]],
  )
}

/** Deletes the positions of an import. The next import from that server starts from the beginning. */
export const deleteImportPositions = (tx: Tx, org: number, source: string): Promise<number> =>
  tx.run('DELETE FROM import_positions WHERE org = ? AND source = ?', [org, source])
