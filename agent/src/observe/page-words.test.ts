import { expect, test } from 'vitest'
import { asksForCode, refusesPassword, saysFailure, secondStepOf } from './page-words.ts'

test.each([
  ['incorrect username or password.', true],
  ['the password you entered is incorrect', true],
  ['your email and password do not match', true],
  ["email and password don't match our records", true],
  ['login failed', true],
  ["we couldn't sign you in", true],
  ['your account has been locked', true],
  ['too many failed attempts. try again later', true],
  ['401 unauthorized', true],
  ['das passwort ist falsch', true],
  ['identifiant ou mot de passe incorrect', true],
  ['la contraseña es incorrecta', true],
  ['неверный пароль', true],
  ['an account with this e-mail address already exists', true],
  ['this user name is already taken', true],
  ['welcome back, ada', false],
  ['already have an account? sign in', false],
  ['you have 3 new messages', false],
  ['your changes were saved', false],
  ['forgot your password?', false],
])('%s: failure %s', (text, failure) => {
  expect(saysFailure(text)).toBe(failure)
})

test.each([
  ['password must contain at least 12 characters', true],
  ['your password is too short', true],
  ['passwords do not match', true],
  ['your password was changed', false],
])('%s: the password is refused: %s', (text, isRefused) => {
  expect(refusesPassword(text)).toBe(isRefused)
})

test.each([
  ['enter the 6-digit code from your authenticator app', true, 'APP_TOTP'],
  ['we sent a text message to your phone', true, 'SMS_OTP'],
  ['enter the code sent to ***-***-**42', true, 'SMS_OTP'],
  ['we emailed you a code', true, 'EMAIL_OTP'],
  ['we sent a code to a•••@example.com', true, 'EMAIL_OTP'],
  ['enter a backup code', true, 'BACKUP_CODES'],
  ['enter your code', true, 'UNKNOWN'],
  ['approve the sign-in request on your phone', false, 'PUSH_NOTIFICATION'],
  ['we sent a notification to your device', false, 'PUSH_NOTIFICATION'],
  ['use your security key to continue', false, 'WEBAUTHN'],
  ['verify your identity. choose a method', false, 'UNKNOWN'],
  ['2-step verification', false, 'UNKNOWN'],
  ['two-step verification to help keep your account safe', false, 'UNKNOWN'],
  ['protect your account. turn on two-factor authentication. set up now skip for now', false, null],
  ['enable 2-step verification? not now', false, null],
  ['welcome to your inbox', false, null],
  [`settings: two-factor authentication ${'x'.repeat(1500)}`, false, null],
])('%s (field: %s) is %s', (text, hasField, method) => {
  expect(secondStepOf(text, hasField)).toBe(method)
})

test.each([
  ['enter code', true],
  ['enter the 6-digit code', true],
  ['verification code', true],
  ['postal code', false],
  ['discount code', false],
])('%s asks for a code: %s', (text, asks) => {
  expect(asksForCode(text)).toBe(asks)
})
