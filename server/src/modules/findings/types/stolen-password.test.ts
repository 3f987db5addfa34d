import { expect, test } from 'vitest'
import { stolenPassword } from './stolen-password.ts'

test.each([
  { passwordId: 'p', stolenIds: ['s'], found: null, wanted: { open: true, passwordId: 'p' } },
  { passwordId: 'q', stolenIds: ['s'], found: 'p', wanted: { open: true, passwordId: 'q' } },
  { passwordId: 'q', stolenIds: [], found: 'p', wanted: { open: false } },
  { passwordId: 'p', stolenIds: [], found: 'p', wanted: undefined },
  { passwordId: 'q', stolenIds: null, found: 'p', wanted: undefined },
  { passwordId: 'p', stolenIds: [], found: null, wanted: { open: false } },
])(
  'password $passwordId with matches $stolenIds after $found wants $wanted',
  ({ wanted, found, ...facts }) => {
    expect(stolenPassword(facts, found)).toEqual(wanted)
  },
)
