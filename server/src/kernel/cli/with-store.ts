import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { lookup } from '@muster/contract/api/fields'
import { shellWord } from '@muster/contract/text/shell-word'
import type { Config } from '../config/config.ts'
import { systemClock, unixSeconds } from '../lib/clock.ts'
import { newId } from '../lib/secrets/id.ts'
import {
  defaultOrganization,
  ensureDefaultOrganization,
  findOrganization,
  listOrganizations,
  type Organization,
} from '../organizations/organizations.ts'
import { UnsupportedSchemaError } from '../store/lifecycle/migrate.ts'
import { openStore, sqliteFile } from '../store/lifecycle/open.ts'
import { SequenceExhaustedError } from '../store/sequence-allocation.ts'
import { type Db, StoreUnavailableError } from '../store/sql.ts'
import { CommandFailure } from './command.ts'
import { explainSystemError } from './system-errors.ts'

/** Option `--org` of commands that work on one organization. */
export const orgOption = {
  type: 'text',
  help: 'name or id of the organization',
  fallback: defaultOrganization,
  placeholder: 'ORG',
  schema: lookup('A name or an id.', 'default', 128, 1),
} as const

/** @throws CommandFailure if the data folder has no database and no PostgreSQL is configured */
export function checkStoreIsThere({ data, databaseUrl }: Config): void {
  // statSync throws if the folder is not accessible, which is reported differently.
  if (databaseUrl !== undefined || statSync(sqliteFile(data), { throwIfNoEntry: false })) return
  throw new CommandFailure(`No database found in ${data}. Set the data folder with --data.`)
}

/** Options of {@link withStore}. */
interface StoreUse {
  /** Wait for the disk at each commit. */
  readonly durable?: boolean
  /** `bulk` while no other process uses the embedded store. */
  readonly mode?: 'shared' | 'bulk'
  /** No statement timeout in PostgreSQL. */
  readonly noTimeout?: boolean
}

/**
 * Opens the configured store, runs the work and closes the store. Works while a server uses the store.
 *
 * @throws CommandFailure if the store is unavailable, has an unsupported schema, or ran out of sequence numbers
 */
export async function withStore<T>(
  config: Config,
  work: (db: Db) => Promise<T>,
  { durable = true, mode = 'shared', noTimeout = false }: StoreUse = {},
): Promise<T> {
  try {
    const db = await openStore(
      { dataDir: config.data, databaseUrl: config.databaseUrl, connections: 2, durable, mode, noTimeout },
      unixSeconds(systemClock),
    )
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  } catch (error) {
    throw storeFailure(error, config)
  }
}

/** Converts an error of the store to a CommandFailure. Returns other errors unchanged. */
export function storeFailure(error: unknown, { data, databaseUrl }: Config): unknown {
  if (error instanceof UnsupportedSchemaError || error instanceof SequenceExhaustedError)
    return new CommandFailure(error.message, { cause: error })
  if (!(error instanceof StoreUnavailableError)) return error
  const where =
    databaseUrl === undefined ? `The database in ${data}` : 'The PostgreSQL of MUSTER_DATABASE_URL'
  return new CommandFailure(
    explainSystemError(error) ?? `${where} cannot be used: ${error.message}. Run muster doctor for details.`,
    { cause: error },
  )
}

/**
 * Finds an organization by name or ID. Creates the default organization if it does not exist.
 *
 * @throws CommandFailure that lists the existing organizations
 */
export async function organizationNamed(db: Db, nameOrId: string): Promise<Organization> {
  const known = await findOrganization(db, nameOrId)
  if (known) return known
  if (nameOrId === defaultOrganization) {
    const nowMs = systemClock.nowMs()
    return db.inTransaction((tx) => ensureDefaultOrganization(tx, newId(nowMs), Math.floor(nowMs / 1000)))
  }
  const names = (await listOrganizations(db)).map(({ name }) => name)
  const existing = names.length > 0 ? `Existing organizations: ${names.join(', ')}. ` : ''
  throw new CommandFailure(
    `Organization ${JSON.stringify(nameOrId)} not found. ${existing}Create one with muster org add.`,
  )
}

/** Returns a curl command that calls the API with a key. */
export function curlLine(config: Config, cwd: string, key: string, path: string): string {
  const ownCertificate = config.tlsCert !== undefined || config.plainHttp
  const trusted = ownCertificate
    ? ''
    : ` --cacert ${shellWord(`${relative(cwd, config.data) || '.'}/tls/cert.pem`)}`
  return `curl${trusted} -H 'x-api-key: ${key}' '${config.publicUrl}${path}'`
}
