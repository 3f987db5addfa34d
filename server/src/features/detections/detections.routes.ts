import { detections } from '@muster/contract/detection'
import { updateRecord } from '../../storage/records.ts'
import { type Actions, action } from '../action.ts'
import { detectionActs } from '../record-acts.rules.ts'
import { requireRecord } from '../stored-record.ts'
import { tellActs } from '../tell-acts.ts'

export const detectionActions: Pick<Actions, 'updateDetection'> = {
  updateDetection: action(async (tx, { org, id, body, actor, nowSeconds }) => {
    const stored = await requireRecord(tx, detections, org, id)
    const record = { ...stored.record, ...body }
    await updateRecord(tx, detections, org, stored, { record })
    const acts = detectionActs([{ before: stored.record, after: record }])
    await tellActs(tx, org, { actor, timestamp: nowSeconds }, acts)
    return record
  }),
}
