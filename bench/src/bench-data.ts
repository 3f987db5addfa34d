import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { createFloorTables } from './floor-postgres.ts'
import { createFloorFile } from './floor-sqlite.ts'
import { inventExtensions, readSample } from './found-extensions.ts'
import { makeRecords } from './make-records.ts'
import type { PostgresProcess } from './postgres-process.ts'
import { type MusterStore, runMuster } from './server-process.ts'

/** Amount of data, and the folder that keeps it between runs. */
export interface DataPlan {
  readonly folder: string
  /** Number of browser extensions, and of accounts. There are a tenth as many employees. */
  readonly rows: number
  /** File of extensions found in browsers; undefined to use invented ones. */
  readonly sample: string | undefined
}

export interface ImportFigures {
  readonly records: number
  readonly seconds: number
}

/** A filled store with an API key, and the floor's copy of the same records. */
export interface FilledStore extends MusterStore {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly apiKey: string
  readonly imported: ImportFigures
  /** Command-line options that give the floor its records. */
  readonly floorOptions: readonly string[]
}

/** Writes the records to files, unless they exist. Returns the folder. */
export async function recordFiles(plan: DataPlan): Promise<string> {
  const folder = join(plan.folder, 'files')
  const done = join(plan.folder, 'files.done')
  if (existsSync(done)) return folder
  await makeRecords({
    folder,
    sample: plan.sample ? readSample(plan.sample) : inventExtensions(2000),
    extensions: plan.rows,
    accounts: plan.rows,
    employees: Math.ceil(plan.rows / 10),
    seed: 1,
  })
  writeFileSync(done, '')
  return folder
}

/** Runs `muster import` and measures the whole process. */
export async function importRecords(store: MusterStore, paths: readonly string[]): Promise<ImportFigures> {
  const beganMs = performance.now()
  const printed = await runMuster(store, ['import', ...paths, '--json'])
  const seconds = (performance.now() - beganMs) / 1000
  const { total } = JSON.parse(printed) as { total: { added: number } }
  return { records: total.added, seconds }
}

/** Creates a key with full access, for the only organization by default. */
export async function createKey(store: MusterStore, organization?: string): Promise<string> {
  const words = ['keys', 'create', '--name', 'bench', '--holder', 'bench@example.com']
  const more = organization === undefined ? [] : ['--org', organization]
  const output = await runMuster(store, [...words, ...more, '--permission', 'full-access', '--json'])
  return (JSON.parse(output) as { key: string }).key
}

/** Returns the SQLite store. It is filled once and reused by later runs. */
export async function filledSqlite(plan: DataPlan): Promise<FilledStore> {
  const store = { dataDir: join(plan.folder, 'sqlite') }
  const imported = await once(join(plan.folder, 'sqlite.json'), async () => {
    rmSync(store.dataDir, { recursive: true, force: true })
    mkdirSync(store.dataDir, { recursive: true })
    return importRecords(store, [await recordFiles(plan)])
  })
  const floorFile = join(plan.folder, 'floor.db')
  createFloorFile(join(store.dataDir, 'muster.db'), floorFile)
  const floorOptions = ['--file', floorFile]
  return { ...store, name: 'SQLite', apiKey: await createKey(store), imported, floorOptions }
}

/** Returns a database of the bench's PostgreSQL. It is filled once and reused by later runs. */
export async function filledPostgres(plan: DataPlan, server: PostgresProcess): Promise<FilledStore> {
  const databaseUrl = server.urlOf('muster')
  const store = { dataDir: join(plan.folder, 'postgres-data'), databaseUrl }
  const imported = await once(join(plan.folder, 'postgres.json'), async () => {
    await recreateDatabase(server, 'muster')
    return importRecords(store, [await recordFiles(plan)])
  })
  await createFloorTables(databaseUrl)
  const floorOptions = ['--postgres', databaseUrl]
  return { ...store, name: 'PostgreSQL', apiKey: await createKey(store), imported, floorOptions }
}

/** Drops and creates a database. */
export async function recreateDatabase(server: PostgresProcess, name: string): Promise<void> {
  const sql = postgres(server.urlOf('postgres'), { max: 1, onnotice: () => undefined })
  await sql.unsafe(`DROP DATABASE IF EXISTS ${name}`)
  await sql.unsafe(`CREATE DATABASE ${name}`)
  await sql.end()
}

/** Does the work once and stores its result in a file. */
export async function once<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T
  const result = await work()
  writeFileSync(path, JSON.stringify(result))
  return result
}
