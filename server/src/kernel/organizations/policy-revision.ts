import type { Reader, Tx } from '../store/sql.ts'

/**
 * The number of an organization's policy: it rises with every change of what browsers are told, in the transaction of
 * that change.
 */
export async function policyRevision(db: Reader, org: number): Promise<number> {
  const sql = 'SELECT policy_revision AS revision FROM organizations WHERE no = ?'
  return Number((await db.get<{ revision: number }>(sql, [org]))?.revision ?? 0)
}

/**
 * The next number is at least the second of the change, so that a store that was restored from a backup gives no number
 * again that browsers know from before. Call it last: it holds the organization's row until the transaction ends.
 */
const next = 'CASE WHEN policy_revision >= ? THEN policy_revision + 1 ELSE ? END'

/** Raises the number of an organization. */
export async function bumpPolicyRevision(tx: Tx, org: number, nowSeconds: number): Promise<void> {
  await tx.run(`UPDATE organizations SET policy_revision = ${next} WHERE no = ?`, [
    nowSeconds,
    nowSeconds,
    org,
  ])
}

/** Raises the number of every organization. */
export async function bumpAllPolicyRevisions(tx: Tx, nowSeconds: number): Promise<void> {
  await tx.run(`UPDATE organizations SET policy_revision = ${next}`, [nowSeconds, nowSeconds])
}

const termsSetting = 'policy_terms'

/**
 * Raises the number of every organization if `terms`, which stands for the settings that are in every policy, is not
 * what it was at the last call. Processes that share a store should have the same settings.
 */
export async function keepPolicyTerms(tx: Tx, terms: string, nowSeconds: number): Promise<void> {
  await tx.lock(termsSetting)
  const known = await tx.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [termsSetting])
  if (known?.value === terms) return
  await tx.insert(
    'settings',
    ['name', 'value'],
    [[termsSetting, terms]],
    'ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  await bumpAllPolicyRevisions(tx, nowSeconds)
}
