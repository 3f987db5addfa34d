import { expect, test } from 'vitest'
import { stolenPassword } from './stolen-password.ts'

test.each([
  { passwordId: 'p', stolenIds: ['s'], found: null, verdict: { open: true, passwordId: 'p' } },
  { passwordId: 'q', stolenIds: ['s'], found: 'p', verdict: { open: true, passwordId: 'q' } },
  { passwordId: 'q', stolenIds: [], found: 'p', verdict: { open: false } },
  { passwordId: 'p', stolenIds: [], found: 'p', verdict: undefined },
  { passwordId: 'q', stolenIds: null, found: 'p', verdict: undefined },
  { passwordId: 'p', stolenIds: [], found: null, verdict: { open: false } },
])(
  'password $passwordId with matches $stolenIds after a finding about $found gives the verdict $verdict',
  ({ verdict, found, ...facts }) => {
    const password = { ...facts, weakReasons: [], leaked: null }
    expect(stolenPassword.decide({ password, foundPasswordId: found })).toEqual(verdict)
  },
)
