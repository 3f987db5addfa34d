import { expect, test } from 'vitest'
import { baseWord, passwordWeakness } from './password-strength.rules.ts'

const weaknessOf = (password: string, more: { email?: string; leaked?: boolean } = {}) =>
  passwordWeakness({
    password,
    email: more.email ?? 'ada.byron@example.com',
    isCommon: (text) => ['password', 'iloveyou', 'qwertyuiop12'].includes(text),
    leaked: more.leaked,
  })

test('accepts a long, uncommon password', () => {
  expect(weaknessOf('correct horse battery staple')).toBeUndefined()
  expect(weaknessOf('correct horse battery staple', { leaked: false })).toBeUndefined()
})

test.each([
  ['elevenchars', 'must have at least 12 characters'],
  ['👩‍💻👩‍💻👩‍💻', 'must have at least 12 characters'],
  ['abababababababab', 'must have at least 5 different characters'],
  ['Ada.Byron@example.com', 'must not be the e-mail address'],
  ['xx ada.byron@example.com', 'must not be the e-mail address'],
  ['ada.byron12345!', 'must not be the e-mail address'],
  ['QWERTYUIOP12', 'must not be a common password, with or without added symbols'],
  ['!!P4ssw0rd2026', 'must not be a common password, with or without added symbols'],
])('refuses %s', (password, reason) => {
  expect(weaknessOf(password)).toBe(reason)
})

test('refuses a leaked password even if it is strong', () => {
  expect(weaknessOf('correct horse battery staple', { leaked: true })).toBe(
    'must not be a password that appeared in a data leak',
  )
})

test('the base word is lowercase, without symbols at the ends, leetspeak decoded', () => {
  expect(baseWord('123P@ssw0rd!!')).toBe('password')
  expect(baseWord('123456789012')).toBe('')
})
