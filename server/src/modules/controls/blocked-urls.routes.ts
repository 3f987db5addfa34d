import { invalidRequest } from '@muster/contract/api/errors'
import { auditListMaximum } from '@muster/contract/events/event-audit-records'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { type Actions, action } from '../../kernel/actions/action.ts'
import { auditedPatterns } from '../../kernel/actions/record-audit-events.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import { firstRecords } from '../../kernel/store/find-records.ts'
import { removeAllRecords } from '../../kernel/store/records.ts'
import { blockPatterns, isBlocked } from './block-patterns.ts'
import { canonicalPattern, publicSuffixMistake } from './blocked-urls.rules.ts'

export const blockedUrlActions = (options: {
  makeId(): string
}): Pick<Actions, 'addBlockedUrl' | 'deleteBlockedUrls'> => ({
  addBlockedUrl: action(async (tx, { org, body, actor, nowSeconds }) => {
    const url = canonicalPattern(body.url)
    const mistake = body.allowPublicSuffix ? undefined : publicSuffixMistake(url)
    if (mistake !== undefined && !(await isBlocked(tx, org, url)))
      throw invalidRequest([{ in: 'body', name: 'url', message: mistake }])
    const { records } = await blockPatterns(tx, { org, nowSeconds, makeId: options.makeId, actor }, [url])
    const [record] = records
    if (!record) throw new Error('a blocked pattern has no record')
    return record
  }),
  deleteBlockedUrls: action(async (tx, { org, actor, nowSeconds }) => {
    const first = await firstRecords(tx, blockedUrls, org, auditListMaximum)
    const count = await removeAllRecords(tx, blockedUrls, org)
    if (count === 0) return { count }
    await bumpPolicyRevision(tx, org, nowSeconds)
    await recordAudit(tx, org, 'BLOCKED_URLS_REMOVED', {
      actor,
      timestamp: nowSeconds,
      new: auditedPatterns(
        count,
        first.map(({ url }) => url),
      ),
    })
    return { count }
  }),
})
