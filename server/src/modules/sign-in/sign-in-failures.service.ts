import type { Tx } from '../../kernel/store/sql.ts'

/** What is known of the failed attempts of a name: an account, or an address. */
export interface Failures {
  failures: number
  lastTimestamp: number
  lockedUntilTimestamp: number
}

const none: Failures = { failures: 0, lastTimestamp: 0, lockedUntilTimestamp: 0 }

/** The failures of a name; attempts for the same name wait for each other until the transaction ends. */
export async function failuresOf(tx: Tx, name: string): Promise<Failures> {
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

export async function forgetFailures(tx: Tx, name: string): Promise<void> {
  await tx.run('DELETE FROM sign_in_failures WHERE name = ?', [name])
}

/** Removes what has been quiet since a moment. */
export async function removeOldFailures(tx: Tx, quietSince: number): Promise<void> {
  await tx.run('DELETE FROM sign_in_failures WHERE last_timestamp < ?', [quietSince])
}
