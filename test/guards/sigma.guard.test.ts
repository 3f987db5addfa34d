import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventObjects, exampleEventOf } from '@muster/contract/events/event-objects'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type SigmaRule, samplesFor, selects, sigmaMistakes } from './sigma.ts'

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

test('each Sigma rule selects its events, and no event of another object', () => {
  for (const { file, rule } of rules) {
    const samples = samplesFor(rule)
    for (const sample of samples) expect([file, selects(rule, sample)]).toEqual([file, true])
    const own = new Set(samples.map((sample) => (sample as { object: string }).object))
    const others = eventObjects.filter((object) => !own.has(object))
    expect(others.filter((object) => selects(rule, exampleEventOf(object)))).toEqual([])
  }
})

const ruleOf = (name: string) => rules.find(({ file }) => file === `${name}.yml`)?.rule as SigmaRule

test('an ignored warning is selected once: when it is first reported, which is mostly after the warning', () => {
  const event = (type: string, now: string, old?: string) => ({
    object: 'PHISHING',
    type,
    new: { response: now },
    ...(old && { old: { response: old } }),
  })
  const ignored = (...words: Parameters<typeof event>) =>
    selects(ruleOf('ignored-phishing-warning'), event(...words))
  expect(ignored('CREATE', 'EMPLOYEE_WARNED')).toBe(false)
  expect(ignored('CREATE', 'EMPLOYEE_IGNORED_WARNING')).toBe(true)
  expect(ignored('UPDATE', 'EMPLOYEE_IGNORED_WARNING', 'EMPLOYEE_WARNED')).toBe(true)
  expect(ignored('UPDATE', 'EMPLOYEE_IGNORED_WARNING', 'EMPLOYEE_IGNORED_WARNING')).toBe(false)
  const opened = (...words: Parameters<typeof event>) =>
    selects(ruleOf('phishing-not-blocked'), event(...words))
  expect(opened('CREATE', 'BLOCKED')).toBe(false)
  expect(opened('UPDATE', 'MONITORED', 'BLOCKED')).toBe(true)
  expect(opened('UPDATE', 'MONITORED', 'EMPLOYEE_WARNED')).toBe(false)
})

test('an administrator who is made an owner is selected, and one who no longer is one is not', () => {
  const change = (description: string) =>
    selects(ruleOf('owner-added'), {
      object: 'SETTING_UPDATED',
      description,
      new: { setting: 'administrators', changes: [] },
    })
  const sentence = 'The role of administrator ada@example.com was changed to'
  expect(change(`${sentence} owner by owner@example.com.`)).toBe(true)
  expect(change(`${sentence} read only by owner@example.com.`)).toBe(false)
})

test('mistakes in a rule are found', () => {
  const [{ rule } = { rule: {} as SigmaRule }] = rules
  const wrong = (selection: SigmaRule['detection'][string], more: object = {}) =>
    sigmaMistakes({
      ...rule,
      detection: { selection, condition: 'selection', ...more } as SigmaRule['detection'],
    })
  expect(wrong({ object: 'FISHING' })).toEqual(['object FISHING is no event'])
  expect(wrong({ object: 'PHISHING', 'new.answer': 'BLOCKED' })).toEqual(['PHISHING has no field new.answer'])
  expect(wrong({ object: 'PHISHING', 'new.response': ['BLOCKED', 'SEEN'] })).toEqual([
    'new.response is never SEEN',
  ])
  const known = { 'old.answer': 'x' }
  const phishing = { object: 'PHISHING' }
  expect(wrong(phishing, { known })).toEqual(['a selection is not used'])
  expect(wrong(phishing, { known, condition: 'selection and not known' })).toEqual([
    'PHISHING has no field old.answer',
  ])
  expect(() => wrong(phishing, { condition: '1 of selection*' })).toThrow('the condition has the part')
  expect(sigmaMistakes({ ...rule, level: 'severe', id: '1' })).toHaveLength(2)
})
