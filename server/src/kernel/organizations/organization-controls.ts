import { type Controls, defaultControls } from '@muster/contract/controls'
import type { Reader, Tx } from '../store/sql.ts'
import { bumpPolicyRevision } from './policy-revision.ts'

/** The controls of an organization; the defaults until an administrator has decided. */
export async function readControls(db: Reader, org: number): Promise<Controls> {
  const row = await db.get<{ document: string }>('SELECT document FROM controls WHERE org = ?', [org])
  if (!row) return defaultControls
  const kept = JSON.parse(row.document) as Partial<Controls>
  // A later release may know members that were not there when the document was written.
  const thresholds = { ...defaultControls.thresholds, ...kept.thresholds }
  return { ...defaultControls, ...kept, thresholds }
}

/** Keeps the controls of an organization and tells its browsers; they must be checked. */
export async function writeControls(
  tx: Tx,
  org: number,
  controls: Controls,
  nowSeconds: number,
): Promise<void> {
  await tx.insert(
    'controls',
    ['org', 'document', 'updated_timestamp'],
    [[org, JSON.stringify(controls), nowSeconds]],
    'ON CONFLICT (org) DO UPDATE SET document = excluded.document, updated_timestamp = excluded.updated_timestamp',
  )
  await bumpPolicyRevision(tx, org, nowSeconds)
}
