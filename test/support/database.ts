import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import postgres from '../../server/vendor/postgres/src/index.js'
import { copySqliteTemplate, templateDatabase } from './store-templates.ts'
import type { StoreName } from './stores.ts'

/** Empty PostgreSQL database for one test. */
export interface FreshDatabase {
  /** URL for `MUSTER_DATABASE_URL`. */
  url: string
  /** Closes all connections to the database and drops it. */
  drop: () => Promise<void>
}

/**
 * Creates an empty database in the private PostgreSQL of the test run (see services.ts).
 *
 * @param more further clauses of CREATE DATABASE
 */
export async function freshDatabase(more = ''): Promise<FreshDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await statement(server, `CREATE DATABASE ${name} ${more}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => statement(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Location where a test can open a store. */
export interface StorePlace {
  /** Options for `openStore`. */
  readonly options: { readonly dataDir: string; readonly databaseUrl: string | undefined }
  /** Removes the store; it must be closed. */
  drop(): Promise<void>
}

/** Creates a database that has the schema of this version and no rows. */
export const migratedDatabase = (): Promise<FreshDatabase> => freshDatabase(`TEMPLATE ${templateDatabase}`)

/**
 * Creates a location for a store, with the schema of this version and no rows.
 *
 * @param isEmpty true for a location without a schema
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
