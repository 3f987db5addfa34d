import { blockedUrls, blockedUrlsMaximum } from '@muster/contract/blocked-url'
import { invalidRequest } from '@muster/contract/errors'
import { countRecords } from '../../storage/count.ts'
import { bumpPolicyRevision } from '../../storage/policy-revision.ts'
import { insertRecord, recordsWhere, removeAllRecords } from '../../storage/records.ts'
import { type Actions, action } from '../action.ts'
import { canonicalPattern } from './blocked-urls.rules.ts'

export const blockedUrlActions = (options: {
  makeId(): string
}): Pick<Actions, 'addBlockedUrl' | 'deleteBlockedUrls'> => ({
  addBlockedUrl: action(async (tx, { org, body, nowSeconds }) => {
    const url = canonicalPattern(body.url)
    await tx.lock(`blocked-urls ${org}`)
    const [known] = await recordsWhere(tx, blockedUrls, org, 'url', url)
    if (known) return known.record
    if ((await countRecords(tx, blockedUrls, org)) >= blockedUrlsMaximum) {
      throw invalidRequest([
        {
          in: 'body',
          name: 'url',
          message: `would be one too many: an organisation has at most ${blockedUrlsMaximum} blocked URLs`,
        },
      ])
    }
    const record = { id: options.makeId(), url, creationTimestamp: nowSeconds }
    await insertRecord(tx, blockedUrls, org, {
      id: record.id,
      record,
      createdAtSeconds: nowSeconds,
      privates: { url },
    })
    await bumpPolicyRevision(tx, org, nowSeconds)
    return record
  }),
  deleteBlockedUrls: action(async (tx, { org, nowSeconds }) => {
    const count = await removeAllRecords(tx, blockedUrls, org)
    if (count > 0) await bumpPolicyRevision(tx, org, nowSeconds)
    return { count }
  }),
})
