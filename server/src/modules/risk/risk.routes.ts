import { invalidRequest } from '@muster/contract/api/errors'
import type { PriorityRule, priorityOperations } from '@muster/contract/risk/console-priority'
import { pointsOf, riskRuleIds, riskRules } from '@muster/contract/risk/risk-rules'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { isOrganizationMarked, markOrganization } from './risk-changes.store.ts'
import { readWeights } from './risk-facts.store.ts'

async function rulesOf(db: Reader, org: number): Promise<PriorityRule[]> {
  const weights = await readWeights(db, org)
  return riskRuleIds.map((rule) => ({
    rule,
    reason: riskRules[rule].reason,
    points: pointsOf(rule, weights),
    defaultPoints: riskRules[rule].points,
  }))
}

const stateOf = async (db: Reader, org: number) => ({
  rules: await rulesOf(db, org),
  updating: await isOrganizationMarked(db, org),
})

const pointsByRule = (rules: readonly PriorityRule[]): Record<string, number> =>
  Object.fromEntries(rules.map(({ rule, points }) => [rule, points]))

/** Handlers for the rules of priorities. */
export function priorityHandlers({ db }: ConsoleParts): ConsoleHandlers<keyof typeof priorityOperations> {
  return {
    readPriorityRules: ({ caller }) => stateOf(db, caller.administrator.org),

    changePriorityRules: async (call, { rules }) => {
      const { org } = call.caller.administrator
      if (new Set(rules.map(({ rule }) => rule)).size < rules.length)
        throw invalidRequest([{ in: 'body', name: 'rules', message: 'must have each rule once' }])
      return db.inTransaction(async (tx) => {
        await tx.lock(`risk weights ${org}`)
        const before = pointsByRule(await rulesOf(tx, org))
        for (const { rule, points } of rules) {
          await tx.run('DELETE FROM risk_weights WHERE org = ? AND rule = ?', [org, rule])
          if (points !== riskRules[rule].points)
            await tx.insert('risk_weights', ['org', 'rule', 'points'], [[org, rule, points]])
        }
        const changes = auditedChanges(before, pointsByRule(await rulesOf(tx, org)))
        if (changes.length > 0) {
          await markOrganization(tx, org)
          await recordAudit(tx, org, 'SETTING_UPDATED', {
            ...auditContext(call),
            new: { setting: 'priorities', changes },
          })
        }
        return stateOf(tx, org)
      })
    },
  }
}
