import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventObjects, exampleEventOf } from '@muster/contract/events/event-objects'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type SigmaRule, sampleFor, selects, sigmaMistakes } from './sigma.ts'

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'sigma')
const rules = readdirSync(folder).map((file) => ({
  file,
  rule: parse(readFileSync(join(folder, file), 'utf8')) as SigmaRule,
}))

test('Sigma rules are well-formed, and their fields and values are those of the events', () => {
  expect(rules.length).toBeGreaterThan(10)
  for (const { file, rule } of rules) expect([file, sigmaMistakes(rule)]).toEqual([file, []])
  for (const member of ['id', 'title'] as const)
    expect(new Set(rules.map(({ rule }) => rule[member])).size).toBe(rules.length)
})

test('each Sigma rule selects its event, and no event of another object', () => {
  for (const { file, rule } of rules) {
    expect([file, selects(rule, sampleFor(rule))]).toEqual([file, true])
    const others = eventObjects.filter((object) => object !== rule.detection.selection.object)
    expect(others.filter((object) => selects(rule, exampleEventOf(object)))).toEqual([])
  }
})

test('mistakes in a rule are found', () => {
  const [{ rule } = { rule: {} as SigmaRule }] = rules
  const wrong = (selection: SigmaRule['detection']['selection']) =>
    sigmaMistakes({ ...rule, detection: { selection, condition: 'selection' } })
  expect(wrong({ object: 'FISHING' })).toEqual(['object FISHING is no event'])
  expect(wrong({ object: 'PHISHING', 'new.answer': 'BLOCKED' })).toEqual(['PHISHING has no field new.answer'])
  expect(wrong({ object: 'PHISHING', 'new.response': ['BLOCKED', 'SEEN'] })).toEqual([
    'new.response is never SEEN',
  ])
  expect(sigmaMistakes({ ...rule, level: 'severe', id: '1' })).toHaveLength(2)
})
