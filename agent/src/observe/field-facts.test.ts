import { expect, test } from 'vitest'
import { type FieldFacts, fieldKind, isIdentity, onlyAddressIn } from './field-kind.ts'
import { afterInput, isTypedByHand, untouched } from './typing.ts'

const field = (facts: Partial<FieldFacts>): FieldFacts => ({
  type: 'text',
  autocomplete: '',
  words: '',
  inputMode: '',
  maxLength: -1,
  ...facts,
})

test.each<[string, Partial<FieldFacts>]>([
  ['PASSWORD', { type: 'password' }],
  ['PASSWORD', { type: 'password', autocomplete: 'current-password', words: 'passwd' }],
  ['PASSWORD', { type: 'text', autocomplete: 'current-password', words: 'password shown' }],
  ['NEW_PASSWORD', { type: 'password', autocomplete: 'new-password' }],
  ['NEW_PASSWORD', { type: 'password', words: 'confirm password' }],
  ['IDENTITY', { type: 'email' }],
  ['IDENTITY', { autocomplete: 'username webauthn' }],
  ['IDENTITY', { words: 'loginfmt i0116' }],
  ['IDENTITY', { words: 'user_name' }],
  ['IDENTITY', { words: 'e-mail address' }],
  ['IDENTITY', { words: 'benutzername' }],
  ['CODE', { autocomplete: 'one-time-code' }],
  ['CODE', { words: 'otp' }],
  ['CODE', { type: 'tel', words: 'enter the code', inputMode: 'numeric', maxLength: 6 }],
  ['CODE', { type: 'password', words: 'passcode' }],
  ['CODE', { words: '6-digit' }],
  ['OTHER', { words: 'postal code', maxLength: 5, inputMode: 'numeric' }],
  ['OTHER', { words: 'first name' }],
  ['OTHER', { type: 'search', words: 'search user' }],
  ['OTHER', { type: 'email', words: 'newsletter email' }],
  ['OTHER', { type: 'checkbox', words: 'remember email' }],
  ['OTHER', { words: 'discount code' }],
  ['NEW_PASSWORD', { type: 'text', autocomplete: 'new-password', words: 'user password' }],
  ['SHOWN_SECRET', { words: 'user[password] user password' }],
  ['SHOWN_SECRET', { words: 'loginpassword login password' }],
  ['SHOWN_SECRET', { words: 'account_password1 account password1' }],
  ['SHOWN_SECRET', { words: 'user_pwd user pwd' }],
  ['SHOWN_SECRET', { words: 'new password' }],
  ['IDENTITY', { type: 'email', words: 'login password email' }],
  ['IDENTITY', { autocomplete: 'username', words: 'login or password' }],
])('a field is %s: %j', (kind, facts) => {
  expect(fieldKind(field(facts))).toBe(kind)
})

test.each([
  ['ada@example.com', true],
  ['ada.byron', true],
  ['DOMAIN/ada', true],
  ['Ada Byron', false],
  ['<script>', false],
  ['', false],
  ['a'.repeat(255), false],
])('%s can be who somebody is: %s', (text, can) => {
  expect(isIdentity(text)).toBe(can)
})

test.each([
  ['Ada Byron ADA@example.com', 'ada@example.com'],
  ['ada@example.com, again ada@example.com', 'ada@example.com'],
  ['ada@example.com bob@example.com', null],
  ['@example', null],
  ['', null],
])('the only address in %j is %s', (text, address) => {
  expect(onlyAddressIn(text)).toBe(address)
})

const typing = (...inputs: [inputType: string | null, data: string | null, length: number][]) =>
  inputs.reduce(
    (state, [inputType, data, length]) => afterInput(state, { inputType, data, length }),
    untouched,
  )
const keys = (text: string) =>
  Array.from(text, (key, index): [string, string, number] => ['insertText', key, index + 1])

test.each<[string, ReturnType<typeof typing>, number, boolean]>([
  ['typed key by key', typing(...keys('secret')), 6, true],
  [
    'typed, with a correction',
    typing(...keys('sed'), ['deleteContentBackward', null, 2], ['insertText', 'c', 3]),
    3,
    true,
  ],
  ['typed by a phone keyboard', typing(['insertCompositionText', 'sec', 3], ['insertText', 'r', 4]), 4, true],
  ['pasted', typing(['insertFromPaste', null, 6]), 6, false],
  ['dropped', typing(['insertFromDrop', null, 6]), 6, false],
  ['filled in by the browser', typing([null, null, 6]), 6, false],
  ['replaced by a suggestion', typing(['insertReplacementText', 'secret', 6]), 6, false],
  ['put in at once as one text', typing(['insertText', 'secret-secret', 13]), 13, false],
  ['set by a script, without any event', untouched, 6, false],
  ['begun by hand and finished by a script', typing(...keys('se')), 6, false],
  [
    'pasted, emptied and typed',
    typing(['insertFromPaste', null, 6], ['deleteContentBackward', null, 0], ...keys('abc')),
    3,
    true,
  ],
  ['pasted, then finished by hand', typing(['insertFromPaste', null, 3], ['insertText', 'x', 4]), 4, false],
  ['nothing', untouched, 0, false],
])('a value that was %s: by hand or not', (_, state, length, byHand) => {
  expect(isTypedByHand(state, length)).toBe(byHand)
})
