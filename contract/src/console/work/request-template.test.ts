import { expect, test } from 'vitest'
import { defaultRequestTemplate, fillTemplate, templateMistakes } from './request-template.ts'

const mistakes = (change: Partial<typeof defaultRequestTemplate>) =>
  templateMistakes({ ...defaultRequestTemplate, ...change }).map(({ name, message }) => `${name} ${message}`)

test('the default template is valid', () => {
  expect(mistakes({})).toEqual([])
  expect(mistakes({ text: 'Bitte {name} { hier }\n {findings} \nDanke'.replace('{ hier }', '{') })).toEqual(
    [],
  )
})

test('an unknown placeholder is named, with those that would be right', () => {
  expect(mistakes({ text: 'Dear {firstName}\n{findings}' })).toEqual([
    'text must not have the placeholder {firstName}; it takes {name}, {organization}, {count}, {contact}, {findings}',
  ])
  expect(mistakes({ subject: 'Your {findings}' })).toEqual([
    'subject must not have the placeholder {findings}; it takes {name}, {organization}, {count}, {contact}',
  ])
})

test('the findings are required, once and in a line of their own', () => {
  const wanted = ['text must have {findings} exactly once, in a line of its own']
  expect(mistakes({ text: 'Hello' })).toEqual(wanted)
  expect(mistakes({ text: 'Do {findings} now' })).toEqual(wanted)
  expect(mistakes({ text: '{findings}\n{findings}' })).toEqual(wanted)
})

test('a value is never read as a placeholder', () => {
  const values = { name: '{organization}', organization: 'Northgate', count: '2', contact: '$&' }
  expect(fillTemplate('{name} {organization} {count} {contact} {findings}', values)).toBe(
    '{organization} Northgate 2 $& {findings}',
  )
})
