import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killMuster, runMuster } from '../support/muster-process.ts'
import { inCopyOf, soundness } from './crash-round.ts'

/** Result of killing an import. */
export interface ImportCrash {
  killedAfterMs: number
  /** Number of records that the killed import has stored. */
  kept: number
  /** Result of running the import again: its exit code, the number of records and of distinct IDs. */
  code: number
  records: number
  ids: number
  integrity: string
}

const lines = 20_000

/** Imports employees into an empty folder, kills the import and runs it again. */
export async function importCrash(killedAfterMs: number): Promise<ImportCrash> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-crash-'))
  const data = join(folder, 'data')
  const settings = { MUSTER_DATA: data }
  const file = join(folder, 'employees.jsonl')
  const database = join(data, 'muster.db')
  try {
    writeFileSync(file, Array.from({ length: lines }, (_, at) => JSON.stringify(employee(at))).join('\n'))
    await runMuster(['org', 'add', 'emea'], settings)
    await killMuster(['import', file], settings, killedAfterMs)
    const integrity = soundness(database)
    const kept = count(database).records
    const { code } = await runMuster(['import', file], settings)
    return {
      killedAfterMs,
      kept,
      code,
      ...count(database),
      integrity: `${integrity}, ${soundness(database)}`,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const employee = (at: number): object => ({
  id: `01937b5e-6c3a-7d21-9f4e-${at.toString(16).padStart(12, '0')}`,
  email: `employee-${at}@example.com`,
  firstName: null,
  lastName: null,
  department: `Department ${at % 20}`,
  location: null,
  licensed: false,
  chatopsEnabled: false,
  groups: [`Group ${at % 7}`, 'All'],
  secondaryEmails: [],
  mergedIntoId: null,
  creationTimestamp: 1_700_000_000 + at,
})

const count = (path: string): { records: number; ids: number } =>
  inCopyOf(path, (database) => {
    const sql = 'SELECT count(*) AS records, count(DISTINCT id) AS ids FROM employees'
    const { records, ids } = database.prepare(sql).get() as { records: number; ids: number }
    return { records, ids }
  })
