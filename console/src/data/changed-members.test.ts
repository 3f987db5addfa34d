import { expect, test } from 'vitest'
import { changedMembers } from './changed-members.ts'

test('returns only members that were changed or cleared', () => {
  const before = { name: 'SIEM', url: 'https://a.example', subscription: { objects: ['LOGIN'] }, note: 'old' }
  expect(changedMembers(before, structuredClone(before))).toEqual({})
  const now = { ...before, url: 'https://b.example', subscription: { objects: [] }, note: null }
  expect(changedMembers<object>(before, now)).toEqual({
    url: 'https://b.example',
    subscription: { objects: [] },
    note: null,
  })
})
