import { expect, test } from 'vitest'
import { reusedPassword } from './reused-password.ts'

const on = (...places: string[]) => places.map((place) => ({ place }))

test.each([
  { passwordId: 'p', holders: on('zapier'), verdict: { open: false } },
  { passwordId: 'p', holders: on('zapier', 'zapier'), verdict: { open: false } },
  { passwordId: 'p', holders: on('zapier', 'notion'), verdict: { open: true, passwordId: 'p' } },
  { passwordId: 'p', holders: on(), verdict: { open: false } },
  { passwordId: null, holders: on('zapier', 'notion'), verdict: { open: false } },
])('password $passwordId on $holders gives the verdict $verdict', ({ passwordId, holders, verdict }) => {
  expect(reusedPassword.decide({ passwordId, holders })).toEqual(verdict)
})
