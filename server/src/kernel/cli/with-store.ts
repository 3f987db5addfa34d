import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { lookup } from '@muster/contract/fields'
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
import { FullSecondError } from '../store/places.ts'
import { type Db, StoreUnavailableError } from '../store/sql.ts'
import { CommandFailure } from './command.ts'
import { shellWord } from './shell-word.ts'
import { explainSystemError } from './system-errors.ts'

/** The option by which commands that work on one organization take it. */
export const orgOption = {
  type: 'text',
  help: 'name or id of the organization',
  fallback: defaultOrganization,
  placeholder: 'ORG',
  schema: lookup('A name or an id.', 'default', 128, 1),
} as const

/** @throws CommandFailure when there is no database in the data folder, and none elsewhere is named */
export function checkStoreIsThere({ data, databaseUrl }: Config): void {
  // A folder that may not be entered is another failure than an empty one.
  if (databaseUrl !== undefined || statSync(sqliteFile(data), { throwIfNoEntry: false })) return
  throw new CommandFailure(`There is no database in ${data}: name the data folder with --data.`)
}

/** How a command uses the store. */
interface StoreUse {
  readonly durable?: boolean
  readonly sole?: boolean
  readonly unhurried?: boolean
}

/**
 * Opens the store that the settings name, directly, also while a server runs on it; closes it when the work is done.
 *
 * @param options `durable`: whether each commit waits for the disk; `sole`: whether nobody else uses the embedded store;
 *   `unhurried`: whether PostgreSQL may take as long as it likes
 * @throws CommandFailure when the store cannot be reached, a newer version wrote it, or a second has no place left
 */
export async function withStore<T>(
  config: Config,
  work: (db: Db) => Promise<T>,
  { durable = true, sole = false, unhurried = false }: StoreUse = {},
): Promise<T> {
  try {
    const db = await openStore(
      { dataDir: config.data, databaseUrl: config.databaseUrl, connections: 2, durable, sole, unhurried },
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

/** What an error of a store means to who runs Muster, as a CommandFailure; any other error as it is. */
export function storeFailure(error: unknown, { data, databaseUrl }: Config): unknown {
  if (error instanceof UnsupportedSchemaError || error instanceof FullSecondError)
    return new CommandFailure(error.message, { cause: error })
  if (!(error instanceof StoreUnavailableError)) return error
  const where =
    databaseUrl === undefined ? `The database in ${data}` : 'The PostgreSQL of MUSTER_DATABASE_URL'
  return new CommandFailure(
    explainSystemError(error) ?? `${where} cannot be used: ${error.message}. muster doctor says more.`,
    { cause: error },
  )
}

/**
 * The organization of that name or id; the default one is made when it is not there yet.
 *
 * @throws CommandFailure that lists the organizations there are
 */
export async function organizationNamed(db: Db, nameOrId: string): Promise<Organization> {
  const known = await findOrganization(db, nameOrId)
  if (known) return known
  if (nameOrId === defaultOrganization) {
    const nowMs = systemClock.nowMs()
    return db.inTransaction((tx) => ensureDefaultOrganization(tx, newId(nowMs), Math.floor(nowMs / 1000)))
  }
  const names = (await listOrganizations(db)).map(({ name }) => name)
  const there = names.length > 0 ? `There are: ${names.join(', ')}. ` : 'There is none yet. '
  throw new CommandFailure(
    `There is no organization ${JSON.stringify(nameOrId)}. ${there}muster org add makes one.`,
  )
}

/** A line for the shell that asks the server for something with a key. */
export function curlLine(config: Config, cwd: string, key: string, path: string): string {
  const ownCertificate = config.tlsCert !== undefined || config.plainHttp
  const trusted = ownCertificate
    ? ''
    : ` --cacert ${shellWord(`${relative(cwd, config.data) || '.'}/tls/cert.pem`)}`
  return `curl${trusted} -H 'x-api-key: ${key}' '${config.publicUrl}${path}'`
}
