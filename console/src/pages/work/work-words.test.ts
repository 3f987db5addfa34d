import type { WorkEntry } from '@muster/contract/console/work/work-fields'
import { expect, test } from 'vitest'
import { entryText } from './work-words.ts'

const text = (entry: Partial<WorkEntry>) =>
  entryText({
    kind: 'NOTE',
    timestamp: 1,
    author: 'Ada',
    from: null,
    to: null,
    untilTimestamp: null,
    text: null,
    ...entry,
  })

test('each entry of a history has a sentence', () => {
  expect(text({ kind: 'STATE', author: null, from: 'OPEN', to: 'RESOLVED' })).toBe('Resolved')
  expect(text({ kind: 'STATE', author: null, from: 'RESOLVED', to: 'OPEN' })).toBe('Opened again')
  expect(text({ kind: 'STATUS', from: 'TO_DO', to: 'RISK_ACCEPTED' })).toBe('Ada accepted the risk')
  expect(text({ kind: 'STATUS', author: null, from: 'SNOOZED', to: 'TO_DO' })).toBe(
    'To do again: no longer snoozed',
  )
  expect(text({ kind: 'ASSIGNEE', from: 'Bob', to: null })).toBe('Ada removed the assignee')
  expect(text({ kind: 'ASSIGNEE', to: 'Bob' })).toBe('Ada assigned it to Bob')
  expect(text({ kind: 'NOTE' })).toBe('Ada wrote')
  expect(text({ kind: 'ASKED' })).toBe('Ada asked the employee by e-mail')
})
