import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../../test/support/database.ts'
import { openStore } from '../lifecycle/open.ts'
import type { Db } from '../sql.ts'
import { groupCommit } from './postgres-group-commit.ts'
import type { Statement, Write } from './postgres-writes.ts'

let database: FreshDatabase
let processes: Db[]
beforeEach(async () => {
  database = await freshDatabase()
  const options = { dataDir: '', databaseUrl: database.url, connections: 4 }
  processes = [await openStore(options, 1), await openStore(options, 1)]
})
afterEach(async () => {
  for (const process of processes) await process.close()
  await database.drop()
})

const address = (name: string, employeeId: string): Write => ({
  table: 'employee_addresses',
  columns: ['org', 'address', 'employee_id'],
  row: [1, `${name}@example.com`, employeeId],
  onConflict: '',
})
const group = (name: string): Write => ({
  table: 'employees_groups',
  columns: ['org', 'value', 'seq'],
  row: [1, name, 1],
  onConflict: '',
})

/** Two processes that commit in groups, and the errors of their statements. */
function senders() {
  const codes = new Set<unknown>()
  const [here, there] = processes.map((process) => {
    const run = async ({ sql, params }: Statement) => {
      try {
        return await process.all(sql, params)
      } catch (error) {
        codes.add((error as { code?: string }).code ?? (error as Error).name)
        throw error
      }
    }
    const sent = { isOnItsWay: () => true, cancel: () => undefined }
    const commitInGroup = groupCommit((statement) => ({ outcome: run(statement), ...sent }))
    return (writes: readonly Write[]) => commitInGroup(writes).outcome
  })
  if (!here || !there) throw new Error('there are two processes')
  return { here, there, codes }
}

const rounds = Array.from({ length: 25 }, (_, round) => round)

test('two processes that write the same rows in opposite order never deadlock', async () => {
  const { here, there, codes } = senders()
  for (const round of rounds) {
    const names = Array.from({ length: 24 }, (_, at) => `${round}.${at}`)
    const outcomes = await Promise.allSettled([
      ...names.map((name) => here([address(name, 'here'), group(`${name} here`)])),
      ...names.toReversed().map((name) => there([address(name, 'there'), group(`${name} there`)])),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(names.length)
  }
  expect([...codes]).toEqual(['UniqueViolationError'])
})
