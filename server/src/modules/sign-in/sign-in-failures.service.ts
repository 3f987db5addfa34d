import type { Tx } from '../../kernel/store/sql.ts'

/** Failed attempts of a counter: an account or an address. */
export interface Failures {
  failures: number
  lastTimestamp: number
  lockedUntilTimestamp: number
}

const none: Failures = { failures: 0, lastTimestamp: 0, lockedUntilTimestamp: 0 }

/** Reads a counter and locks it until the transaction ends. */
export async function readFailures(tx: Tx, name: string): Promise<Failures> {
  await tx.lock(`sign-in ${name}`)
  const row = await tx.get<Failures>(
    'SELECT failures, last_timestamp AS "lastTimestamp", locked_until_timestamp AS "lockedUntilTimestamp" FROM sign_in_failures WHERE name = ?',
    [name],
  )
  return row ?? none
}

export async function setFailures(tx: Tx, name: string, failures: Failures): Promise<void> {
  await tx.insert(
    'sign_in_failures',
    ['name', 'failures', 'last_timestamp', 'locked_until_timestamp'],
    [[name, failures.failures, failures.lastTimestamp, failures.lockedUntilTimestamp]],
    'ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, last_timestamp = excluded.last_timestamp, locked_until_timestamp = excluded.locked_until_timestamp',
  )
}

export async function deleteFailures(tx: Tx, name: string): Promise<void> {
  await tx.run('DELETE FROM sign_in_failures WHERE name = ?', [name])
}

/** Removes counters without an attempt since `quietSince`. */
export async function removeOldFailures(tx: Tx, quietSince: number): Promise<void> {
  await tx.run('DELETE FROM sign_in_failures WHERE last_timestamp < ?', [quietSince])
}
