import { expect, test } from 'vitest'
import { isWorkIdentity, withVisit } from './visits.ts'

const work = ['@example.com', 'ada@gmail.com']

test.each([
  ['Grace@Example.COM', true],
  ['Ada@gmail.com', true],
  ['eve@gmail.com', false],
  ['ada@sub.example.com', false],
  ['ada@notexample.com', false],
  ['ada', false],
  ['@example.com', false],
])('%s is an identity for work: %s', (identity, isWork) => {
  expect(isWorkIdentity(work, identity)).toBe(isWork)
})

test('a host is entered once a day', () => {
  const dayMs = 86_400_000
  const first = withVisit({ day: 0, hosts: [] }, 'app.example.com', 5 * dayMs)
  expect(first).toEqual({ day: 5, hosts: ['app.example.com'] })
  expect(withVisit(first, 'app.example.com', 5 * dayMs + 1)).toBe(first)
  expect(withVisit(first, 'app.example.com', 6 * dayMs)).toEqual({ day: 6, hosts: ['app.example.com'] })
})
