import { type Static, Type } from 'typebox'
import { closed, count, flag, listOf, nullable, oneOf, text } from '../api/fields.ts'
import { consoleOperation } from '../console/console-operation.ts'
import { priorities, riskLevels } from './risk-levels.ts'
import { pointsLimits, riskRuleIds } from './risk-rules.ts'

/** Members that the console's list of findings has in addition to those of `/v1`. */
export const FindingPriority = closed(
  {
    priority: nullable(oneOf(priorities, 'Priority of an open finding; null if it is resolved.', 'P1')),
    priorityScore: nullable(count('Sum of the points of its reasons; null if it is resolved.', 85)),
    priorityReasons: listOf(
      oneOf(riskRuleIds, 'A rule that matches.', 'LEAKED_NO_MFA'),
      'Rules that match, worst combinations first.',
      ['LEAKED_NO_MFA', 'LEAKED'],
      riskRuleIds.length,
    ),
  },
  { $id: 'FindingPriority', description: 'Priority of a finding.' },
)
export type FindingPriority = Static<typeof FindingPriority>

/** Description of the risk of a record. */
export const risk = oneOf(riskLevels, 'Risk by the most urgent open finding; NONE without one.', 'HIGH')

/** Members that the console's lists of employees and accounts have in addition to those of `/v1`. */
export const RecordRisk = closed({ risk }, { $id: 'RecordRisk', description: 'Risk of a record.' })
export type RecordRisk = Static<typeof RecordRisk>

const rule = oneOf(riskRuleIds, 'ID of the rule.', 'SENSITIVE_APP')
const points = (description: string) => Type.Integer({ description, examples: [25], ...pointsLimits })

const PriorityRule = closed(
  {
    rule,
    reason: text('Reason in words.', 'Sensitive app', 256),
    points: points('Points that the rule adds to a score.'),
    defaultPoints: points('Points of the rule if they are not changed.'),
  },
  { description: 'A rule.' },
)
export type PriorityRule = Static<typeof PriorityRule>

const PriorityRules = closed(
  {
    rules: listOf(PriorityRule, 'All rules, worst combinations first.', [], riskRuleIds.length),
    updating: flag('True while the scores of findings are computed with changed points.', false),
  },
  { $id: 'PriorityRules', description: 'Rules by which findings get their priority.' },
)

/** Operations on the rules of priorities. */
export const priorityOperations = {
  readPriorityRules: consoleOperation({
    method: 'GET',
    path: '/console/api/priority-rules',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the rules of priorities and their points.',
    response: PriorityRules,
  }),
  changePriorityRules: consoleOperation({
    method: 'PATCH',
    path: '/console/api/priority-rules',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Change the points of rules. The scores of all findings are computed again in the background.',
    body: closed(
      {
        rules: listOf(
          closed(
            { rule, points: points('New points; 0 turns the rule off.') },
            { description: 'New points of a rule.' },
          ),
          'Rules to change, each once.',
          [{ rule: 'SENSITIVE_APP', points: 40 }],
          riskRuleIds.length,
          { minItems: 1 },
        ),
      },
      { description: 'The change.' },
    ),
    response: PriorityRules,
  }),
} as const
