import { detections } from '@muster/contract/detection'
import { updateRecord } from '../../storage/records.ts'
import { type Actions, action } from '../action.ts'
import { requireRecord } from '../stored-record.ts'

export const detectionActions: Pick<Actions, 'updateDetection'> = {
  updateDetection: action(async (tx, { org, id, body }) => {
    const stored = await requireRecord(tx, detections, org, id)
    const record = { ...stored.record, ...body }
    await updateRecord(tx, detections, org, stored, { record })
    return record
  }),
}
