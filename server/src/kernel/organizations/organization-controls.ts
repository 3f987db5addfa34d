import { type Controls, defaultControls } from '@muster/contract/records/controls'
import type { Reader, Tx } from '../store/sql.ts'
import { bumpPolicyRevision } from './policy-revision.ts'

/** Reads the controls of an organization; the defaults until they are changed. */
export async function readControls(db: Reader, org: number): Promise<Controls> {
  const row = await db.get<{ document: string }>('SELECT document FROM controls WHERE org = ?', [org])
  if (!row) return defaultControls
  const kept = JSON.parse(row.document) as Partial<Controls>
  // A document from an older release may lack members.
  const thresholds = { ...defaultControls.thresholds, ...kept.thresholds }
  return { ...defaultControls, ...kept, thresholds }
}

/** Stores validated controls of an organization and updates the policy of its browsers. */
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
