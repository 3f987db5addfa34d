import { detections } from '@muster/contract/detection'
import { type Actions, action } from '../../kernel/actions/action.ts'
import { detectionActs } from '../../kernel/actions/record-acts.rules.ts'
import { requireRecord } from '../../kernel/actions/stored-record.ts'
import { tellActs } from '../../kernel/actions/tell-acts.ts'
import { updateRecord } from '../../kernel/store/records.ts'

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
