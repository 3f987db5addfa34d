import { existsSync } from 'node:fs'
import { openPostgres } from '../postgres/postgres.ts'
import { inspectFile } from './inspect-file.ts'
import { type StoreLocation, sqliteFile } from './open.ts'

/** Setting that an organization has set in the console. */
export interface OrganizationSetting {
  readonly org: number
  /** Name of the organization. */
  readonly organization: string
  readonly name: string
  /** Text, encrypted if `sealed` is 1. */
  readonly value: string
  readonly sealed: number
}

const settingsSql = `SELECT s.org, o.name AS organization, s.name, s.value, s.sealed
  FROM organization_settings AS s JOIN organizations AS o ON o.no = s.org ORDER BY s.org, s.name`

/**
 * Reads the settings of all organizations without opening or migrating the store.
 *
 * @returns an empty list if there is no store, or one of an earlier version
 * @throws StoreUnavailableError or the driver's error if it cannot be read
 */
export async function readOrganizationSettings({
  dataDir,
  databaseUrl,
}: StoreLocation): Promise<readonly OrganizationSetting[]> {
  if (databaseUrl === undefined) {
    const path = sqliteFile(dataDir)
    if (!existsSync(path)) return []
    return inspectFile(path, (database) => {
      const hasTable = "SELECT 1 FROM sqlite_schema WHERE name = 'organization_settings'"
      if (!database.prepare(hasTable).get()) return []
      return database.prepare(settingsSql).all() as unknown as OrganizationSetting[]
    })
  }
  const db = openPostgres(databaseUrl, { connections: 1 })
  try {
    const hasTable = "SELECT 1 AS found WHERE to_regclass('organization_settings') IS NOT NULL"
    return (await db.get(hasTable)) === undefined ? [] : await db.all<OrganizationSetting>(settingsSql)
  } finally {
    await db.close()
  }
}
