import { blockedUrls } from '@muster/contract/blocked-url'
import { bumpPolicyRevision } from '../../storage/policy-revision.ts'
import { removeAllRecords } from '../../storage/records.ts'
import { type Actions, action } from '../action.ts'
import { blockPatterns } from './block-patterns.ts'
import { canonicalPattern } from './blocked-urls.rules.ts'

export const blockedUrlActions = (options: {
  makeId(): string
}): Pick<Actions, 'addBlockedUrl' | 'deleteBlockedUrls'> => ({
  addBlockedUrl: action(async (tx, { org, body, nowSeconds }) => {
    const url = canonicalPattern(body.url)
    const { records } = await blockPatterns(tx, { org, nowSeconds, makeId: options.makeId }, [url])
    const [record] = records
    if (!record) throw new Error('a pattern that was blocked has no record')
    return record
  }),
  deleteBlockedUrls: action(async (tx, { org, nowSeconds }) => {
    const count = await removeAllRecords(tx, blockedUrls, org)
    if (count > 0) await bumpPolicyRevision(tx, org, nowSeconds)
    return { count }
  }),
})
