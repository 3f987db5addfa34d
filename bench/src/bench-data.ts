import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { makeFloorTables } from './floor-postgres.ts'
import { makeFloorFile } from './floor-sqlite.ts'
import { inventExtensions, readSample } from './found-extensions.ts'
import { makeRecords } from './make-records.ts'
import type { PostgresProcess } from './postgres-process.ts'
import { type MusterStore, runMuster } from './server-process.ts'

/** How much data, and where it is kept between runs. */
export interface DataPlan {
  readonly folder: string
  /** Browser extensions, and as many accounts; a tenth as many employees. */
  readonly rows: number
  /** A file of extensions as found in browsers; invented ones without it. */
  readonly sample: string | undefined
}

/** What came of an import. */
export interface ImportFigures {
  readonly records: number
  readonly seconds: number
}

/** A store that is filled, with a key and the floor's copy of the same records. */
export interface FilledStore extends MusterStore {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly apiKey: string
  readonly imported: ImportFigures
  /** Options by which the floor finds its records. */
  readonly floorOptions: readonly string[]
}

/** Writes the records as files, unless they are there. */
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

/** Runs `muster import` and measures it, from the start of the process to its end. */
export async function importRecords(store: MusterStore, paths: readonly string[]): Promise<ImportFigures> {
  const beganMs = performance.now()
  const printed = await runMuster(store, ['import', ...paths, '--json'])
  const seconds = (performance.now() - beganMs) / 1000
  const { total } = JSON.parse(printed) as { total: { added: number } }
  return { records: total.added, seconds }
}

/** Makes a key that may do everything, of the organization there is unless told. */
export async function makeKey(store: MusterStore, organization?: string): Promise<string> {
  const words = ['keys', 'create', '--name', 'bench', '--holder', 'bench@example.com']
  const more = organization === undefined ? [] : ['--org', organization]
  const made = await runMuster(store, [...words, ...more, '--permission', 'full-access', '--json'])
  return (JSON.parse(made) as { key: string }).key
}

/** The embedded store, filled once; later runs find it in the folder. */
export async function filledSqlite(plan: DataPlan): Promise<FilledStore> {
  const store = { dataDir: join(plan.folder, 'sqlite') }
  const imported = await once(join(plan.folder, 'sqlite.json'), async () => {
    rmSync(store.dataDir, { recursive: true, force: true })
    mkdirSync(store.dataDir, { recursive: true })
    return importRecords(store, [await recordFiles(plan)])
  })
  const floorFile = join(plan.folder, 'floor.db')
  makeFloorFile(join(store.dataDir, 'muster.db'), floorFile)
  const floorOptions = ['--file', floorFile]
  return { ...store, name: 'SQLite', apiKey: await makeKey(store), imported, floorOptions }
}

/** A database of the bench's PostgreSQL, filled once. */
export async function filledPostgres(plan: DataPlan, server: PostgresProcess): Promise<FilledStore> {
  const databaseUrl = server.urlOf('muster')
  const store = { dataDir: join(plan.folder, 'postgres-data'), databaseUrl }
  const imported = await once(join(plan.folder, 'postgres.json'), async () => {
    await emptyDatabase(server, 'muster')
    return importRecords(store, [await recordFiles(plan)])
  })
  await makeFloorTables(databaseUrl)
  const floorOptions = ['--postgres', databaseUrl]
  return { ...store, name: 'PostgreSQL', apiKey: await makeKey(store), imported, floorOptions }
}

/** Makes a database anew. */
export async function emptyDatabase(server: PostgresProcess, name: string): Promise<void> {
  const sql = postgres(server.urlOf('postgres'), { max: 1, onnotice: () => undefined })
  await sql.unsafe(`DROP DATABASE IF EXISTS ${name}`)
  await sql.unsafe(`CREATE DATABASE ${name}`)
  await sql.end()
}

/** Does the work once and remembers what came of it in a file. */
async function once<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T
  const result = await work()
  writeFileSync(path, JSON.stringify(result))
  return result
}
