import { detections } from '@muster/contract/records/detection'
import { type Actions, action, requireRecord } from '../../kernel/actions/action.ts'
import { recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { detectionAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { updateRecord } from '../../kernel/store/records.ts'

export const detectionActions: Pick<Actions, 'updateDetection'> = {
  updateDetection: action(async (tx, { org, id, body, actor, nowSeconds }) => {
    const stored = await requireRecord(tx, detections, org, id)
    const record = { ...stored.record, ...body }
    await updateRecord(tx, detections, org, stored, { record })
    const acts = detectionAuditEvents([{ before: stored.record, after: record }])
    await recordAuditEvents(tx, org, { actor, timestamp: nowSeconds }, acts)
    return record
  }),
}
