import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findingTypes } from '../records/finding.ts'
import { findingWords } from '../records/finding-words.ts'
import { priorities, priorityScores } from './risk-levels.ts'
import { type RiskConditions, riskRules } from './risk-rules.ts'

const guide = readFileSync(new URL('../../../docs/guide/priority.md', import.meta.url), 'utf8')

const typesOf = ({ types }: RiskConditions): string =>
  types === undefined || types.length === findingTypes.length
    ? 'All'
    : types.map((type) => findingWords[type].label).join(', ')

test('the guide has the table of rules as they are', () => {
  const rows = Object.values(riskRules).map(
    ({ reason, points, when }) => `| ${reason} | ${typesOf(when)} | ${points} |`,
  )
  const table = ['| Reason | Findings | Points |', '|---|---|---|', ...rows].join('\n')
  expect(guide).toContain(table)
})

test('the guide has the points of the priorities', () => {
  for (const priority of priorities)
    expect(guide).toMatch(new RegExp(`\\| ${priority} \\| ${priorityScores[priority]} `))
})
