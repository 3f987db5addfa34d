import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, sqliteFile } from '../../server/src/kernel/store/lifecycle/open.ts'

/** Database of the run's private PostgreSQL that has the schema of this version and no rows. */
export const templateDatabase = 'muster_template'

/**
 * Makes stores with the schema of this version. Tests copy them, which takes a fraction of the time of a migration.
 *
 * @param folder data folder of the embedded store
 * @param postgresUrl address of the template database, which must exist; by default only the embedded store is made
 */
export async function makeStoreTemplates(folder: string, postgresUrl?: string): Promise<void> {
  for (const databaseUrl of postgresUrl === undefined ? [undefined] : [undefined, postgresUrl]) {
    const store = await openStore({ dataDir: folder, databaseUrl, connections: 1 }, 1)
    await store.close()
  }
}

/** Copies the embedded store of the template into a data folder. */
export const copySqliteTemplate = (template: string, dataDir: string): void =>
  copyFileSync(sqliteFile(template), join(dataDir, 'muster.db'))
