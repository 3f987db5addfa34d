import { detections } from '@muster/contract/detection'
import { tellAudit } from '../../storage/audit-trail.ts'
import { updateRecord } from '../../storage/records.ts'
import { type Actions, action } from '../action.ts'
import { auditedChanges } from '../audit-changes.ts'
import { requireRecord } from '../stored-record.ts'

export const detectionActions: Pick<Actions, 'updateDetection'> = {
  updateDetection: action(async (tx, { org, id, body, actor, nowSeconds }) => {
    const stored = await requireRecord(tx, detections, org, id)
    const record = { ...stored.record, ...body }
    await updateRecord(tx, detections, org, stored, { record })
    const changes = auditedChanges(stored.record, record)
    const facts = { detectionId: id, detectionType: record.detectionType, changes }
    if (changes.length > 0)
      await tellAudit(tx, org, 'DETECTION_UPDATED', { actor, timestamp: nowSeconds, new: facts })
    return record
  }),
}
