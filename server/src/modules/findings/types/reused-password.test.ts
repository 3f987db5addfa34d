import { expect, test } from 'vitest'
import { reusedPassword } from './reused-password.ts'

const on = (...places: string[]) => places.map((place) => ({ place }))

test.each([
  { passwordId: 'p', holders: on('zapier'), wanted: { open: false } },
  { passwordId: 'p', holders: on('zapier', 'zapier'), wanted: { open: false } },
  { passwordId: 'p', holders: on('zapier', 'notion'), wanted: { open: true, passwordId: 'p' } },
  { passwordId: 'p', holders: on(), wanted: { open: false } },
  { passwordId: null, holders: on('zapier', 'notion'), wanted: { open: false } },
])('password $passwordId on $holders wants $wanted', ({ passwordId, holders, wanted }) => {
  expect(reusedPassword(passwordId, holders)).toEqual(wanted)
})
