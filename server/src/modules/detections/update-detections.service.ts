import { type DetectionUpdate, detections } from '@muster/contract/records/detection'
import { recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { detectionAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { getRecordsByIds, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'

/**
 * Archives or classifies detections, each with an audit event.
 *
 * @returns the IDs of the changed ones
 */
export async function updateDetections(
  tx: Tx,
  org: number,
  ids: readonly string[],
  update: DetectionUpdate,
  by: Parameters<typeof recordAuditEvents>[2],
): Promise<string[]> {
  const changed: string[] = []
  // Locked in the order of their keys, as elsewhere.
  for (const stored of await getRecordsByIds(tx, detections, org, ids.toSorted())) {
    const record = { ...stored.record, ...update }
    const acts = detectionAuditEvents([{ before: stored.record, after: record }])
    if (acts.length === 0) continue
    await updateRecord(tx, detections, org, stored, { record })
    await recordAuditEvents(tx, org, by, acts)
    changed.push(stored.id)
  }
  return changed
}
