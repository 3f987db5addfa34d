import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { postgres } from '../../server/src/kernel/store/postgres/postgres-driver.ts'
import { copySqliteTemplate, templateDatabase } from './store-templates.ts'
import type { StoreName } from './stores.ts'

/** An empty PostgreSQL database of one test's own. */
export interface FreshDatabase {
  /** Where it is, as `MUSTER_DATABASE_URL` takes it. */
  url: string
  /** Removes it, and closes whatever connection is still open to it. */
  drop: () => Promise<void>
}

/**
 * Creates an empty database in the test run's private PostgreSQL (see services.ts).
 *
 * Each call gives another one, so tests of one run never see each other's rows.
 *
 * @param more what stands behind CREATE DATABASE and its name
 */
export async function freshDatabase(more = ''): Promise<FreshDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await statement(server, `CREATE DATABASE ${name} ${more}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => statement(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** A place of one test's own where a store may be opened, and what is opened there by. */
export interface StorePlace {
  /** As `openStore` takes them. */
  readonly options: { readonly dataDir: string; readonly databaseUrl: string | undefined }
  /** Removes it with all that is in it; every store there must be closed. */
  drop(): Promise<void>
}

/** Creates a database that has the schema of this version and no rows. */
export const migratedDatabase = (): Promise<FreshDatabase> => freshDatabase(`TEMPLATE ${templateDatabase}`)

/**
 * Makes a place for a store, with the schema of this version and no rows.
 *
 * @param isEmpty true for a place without a schema
 */
export async function freshStorePlace(store: StoreName, isEmpty = false): Promise<StorePlace> {
  const database = store === 'postgres' ? await (isEmpty ? freshDatabase() : migratedDatabase()) : undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-test-'))
  if (store === 'sqlite' && !isEmpty) copySqliteTemplate(inject('storeTemplate'), dataDir)
  return {
    options: { dataDir, databaseUrl: database?.url },
    drop: async () => {
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function statement(url: string, text: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(text)
  } finally {
    await sql.end()
  }
}
