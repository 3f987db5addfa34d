import type { Reader, Tx } from '../store/sql.ts'

/**
 * Returns the revision of an organization's agent policy, which every change to the policy raises in its transaction.
 */
export async function policyRevision(db: Reader, org: number): Promise<number> {
  const sql = 'SELECT policy_revision AS revision FROM organizations WHERE no = ?'
  return Number((await db.get<{ revision: number }>(sql, [org]))?.revision ?? 0)
}

/**
 * The next revision is at least the current UNIX time. Otherwise a restored backup would reuse revisions that browsers have
 * seen. Bump it last in a transaction: it locks the row of the organization.
 */
const nextRevision = 'CASE WHEN policy_revision >= ? THEN policy_revision + 1 ELSE ? END'

/** Raises the revision of an organization. */
export async function bumpPolicyRevision(tx: Tx, org: number, nowSeconds: number): Promise<void> {
  await tx.run(`UPDATE organizations SET policy_revision = ${nextRevision} WHERE no = ?`, [
    nowSeconds,
    nowSeconds,
    org,
  ])
}

/** Raises the revision of all organizations. */
export async function bumpAllPolicyRevisions(tx: Tx, nowSeconds: number): Promise<void> {
  await tx.run(`UPDATE organizations SET policy_revision = ${nextRevision}`, [nowSeconds, nowSeconds])
}

const settingName = 'policy_terms'

/**
 * Raises the revision of all organizations if the server settings in policies have changed since the last call. Processes
 * that share a store should have the same settings.
 *
 * @param settings serialized settings
 */
export async function updatePolicySettings(tx: Tx, settings: string, nowSeconds: number): Promise<void> {
  await tx.lock(settingName)
  const known = await tx.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [settingName])
  if (known?.value === settings) return
  await tx.insert(
    'settings',
    ['name', 'value'],
    [[settingName, settings]],
    'ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  await bumpAllPolicyRevisions(tx, nowSeconds)
}
