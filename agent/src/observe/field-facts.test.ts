import { expect, test } from 'vitest'
import { frameWatch } from '../loader/frame-watch.ts'
import { type FieldFacts, type FieldKind, fieldKinds } from './field-kind.ts'
import { isIdentity, isNameOfWords, onlyAddressIn } from './identity-text.ts'
import { spellOut } from './spell-out.ts'
import { afterInput, isTypedByHand, replaces, untouched, valueBefore } from './typing.ts'
import { frameWords } from './words/frame-words.ts'
import { plainText } from './words/word-list.ts'

frameWatch().words = frameWords

const field = ({ names = '', label = '', ...facts }: Partial<FieldFacts>): FieldFacts => ({
  type: 'text',
  autocomplete: '',
  names: spellOut(names),
  label: plainText(label),
  isMasked: false,
  isNumeric: false,
  maxLength: -1,
  isVisible: true,
  hasPicture: false,
  around: '',
  ...facts,
})

const secret = (facts: Partial<FieldFacts> = {}) => ({ type: 'password', ...facts })

test.each<[FieldKind, Partial<FieldFacts>]>([
  ['PASSWORD', { type: 'password' }],
  ['PASSWORD', { type: 'password', autocomplete: 'current-password', names: 'passwd' }],
  ['PASSWORD', { type: 'text', autocomplete: 'current-password', names: 'password shown' }],
  ['PASSWORD', { type: 'password', names: 'credentials.passcode input53', autocomplete: 'current-password' }],
  ['PASSWORD', { type: 'password', names: 'credentials.passcode', label: 'Password' }],
  ['PASSWORD', { type: 'password', names: 'credentials.passcode' }],
  ['PASSWORD', { type: 'password', label: 'Enter your current password to confirm' }],
  ['PASSWORD', { type: 'password', label: 'PIN' }],
  ['NEW_PASSWORD', { type: 'password', autocomplete: 'new-password' }],
  ['NEW_PASSWORD', { type: 'password', label: 'Confirm password' }],
  ['NEW_PASSWORD', { type: 'password', names: 'newPassword' }],
  ['NEW_PASSWORD', { type: 'password', label: 'Neues Passwort' }],
  ['NEW_PASSWORD', { type: 'password', label: '新しいパスワード' }],
  ['CODE', { type: 'password', label: 'Verification code' }],
  ['CODE', { type: 'password', label: 'One-time password' }],
  ['CODE', { type: 'password', names: 'otp' }],
  ['CODE', { type: 'password', label: 'PIN', isNumeric: true, maxLength: 6 }],
  ['CODE', { type: 'password', label: 'Einmalpasswort' }],
  ['IDENTITY', { type: 'email' }],
  ['IDENTITY', { autocomplete: 'username webauthn' }],
  ['IDENTITY', { names: 'loginfmt i0116' }],
  ['IDENTITY', { names: 'user_name' }],
  ['IDENTITY', { names: 'ctl00$Main$txtUserName' }],
  ['IDENTITY', { names: 'j_username' }],
  ['IDENTITY', { names: 'sap-user' }],
  ['IDENTITY', { names: 'username', autocomplete: 'new-password' }],
  ['IDENTITY', { label: 'E-mail address' }],
  ['IDENTITY', { label: 'Benutzername' }],
  ['IDENTITY', { label: 'Adresse électronique' }],
  ['IDENTITY', { label: 'ユーザー名' }],
  ['IDENTITY', { label: 'اسم المستخدم' }],
  ['IDENTITY', { type: 'email', label: 'login password email' }],
  ['IDENTITY', { autocomplete: 'username', label: 'Login or password' }],
  ['CODE', { autocomplete: 'one-time-code' }],
  ['CODE', { names: 'otp' }],
  ['CODE', { names: 'credentials.passcode' }],
  ['CODE', { names: 'credentials.passcode', label: 'Enter Code' }],
  ['CODE', { names: 'credentials.totp', type: 'tel' }],
  ['CODE', { type: 'tel', label: 'Enter the code', isNumeric: true, maxLength: 6 }],
  ['CODE', { label: '6-digit' }],
  ['CODE', { label: 'Code d’authentification' }],
  ['CODE', { label: 'Código de verificación' }],
  ['CODE', { label: '確認コード' }],
  ['CODE', { label: 'رمز التحقق' }],
  ['CODE', { label: '인증번호' }],
  ['CODE', { names: 'answer', around: 'enter the verification code we sent' }],
  ['CODE', { names: 'c', maxLength: 6, around: 'voer de code in uit je app' }],
  ['CODE', { label: 'TAN', maxLength: 6, isNumeric: true }],
  ['IDENTITY', { label: 'Account ID (12 digits)' }],
  ['OTHER', { names: 'c', maxLength: 6, around: 'enter your zip code' }],
  ['OTHER', { label: 'Postal code', maxLength: 5, isNumeric: true }],
  ['OTHER', { label: 'Postleitzahl', maxLength: 5, isNumeric: true }],
  ['OTHER', { label: '邮政编码', maxLength: 6, isNumeric: true }],
  ['OTHER', { label: 'First name' }],
  ['OTHER', { autocomplete: 'name', names: 'name ui-sign-in-name-input', label: 'First & last name' }],
  ['OTHER', { autocomplete: 'section-a organization', label: 'Account' }],
  ['OTHER', { type: 'search', label: 'Search user' }],
  ['OTHER', { type: 'email', label: 'Newsletter email' }],
  ['OTHER', { type: 'checkbox', label: 'remember email' }],
  ['OTHER', { label: 'Discount code' }],
  ['OTHER', { label: 'Promo code', isNumeric: true, maxLength: 8 }],
  ['OTHER', { label: 'Phone' }],
  ['NEW_PASSWORD', { type: 'text', autocomplete: 'new-password', names: 'user password' }],
  ['SHOWN_SECRET', { names: 'user[password]' }],
  ['SHOWN_SECRET', { names: 'loginPassword' }],
  ['SHOWN_SECRET', { names: 'account_password1' }],
  ['SHOWN_SECRET', { names: 'user_pwd' }],
  ['SHOWN_SECRET', { label: 'New password' }],
])('a single field is %s: %j', (kind, facts) => {
  expect(fieldKinds([field(facts)])).toEqual([kind])
})

const identityLabels = [
  'Login name',
  'Employee ID',
  'Account',
  'Member number',
  'Phone',
  'Customer ID',
  'Workspace user',
  'Kundennummer',
  'Personalnummer',
  'Numéro de client',
  'Identifiant',
  'Número de socio',
  'Matrícula',
  'Codice cliente',
  'Personeelsnummer',
  'Numer klienta',
  'Табельный номер',
  'Номер телефона',
  'Номер клієнта',
  'Müşteri numarası',
  'Sicil no',
  '社員番号',
  '会員番号',
  '员工工号',
  '手機號碼',
  '사번',
  '회원번호',
  'رقم الموظف',
  'رقم الهاتف',
  'कर्मचारी आईडी',
  'मोबाइल नंबर',
]

test.each(identityLabels)('%s next to a password is an identity field', (label) => {
  expect(fieldKinds([field({ label }), field({ label: 'First name' }), field(secret())])).toEqual([
    'IDENTITY',
    'OTHER',
    'PASSWORD',
  ])
})

const boxes = (count: number, facts: Partial<FieldFacts> = {}) =>
  Array.from({ length: count }, () => field({ maxLength: 1, ...facts }))

test.each<[string, FieldFacts[], FieldKind[]]>([
  [
    'a field without words before a password',
    [field({ names: 'i1' }), field(secret())],
    ['IDENTITY', 'PASSWORD'],
  ],
  [
    'the field right before a password, after a company',
    [field({ label: 'Company' }), field({ names: 'x7' }), field(secret())],
    ['OTHER', 'IDENTITY', 'PASSWORD'],
  ],
  ['a search before a password', [field({ label: 'Suche' }), field(secret())], ['OTHER', 'PASSWORD']],
  ['a server before a password', [field({ label: 'Server' }), field(secret())], ['OTHER', 'PASSWORD']],
  [
    'a hidden field before a password',
    [field({ names: 'x', isVisible: false }), field(secret())],
    ['OTHER', 'PASSWORD'],
  ],
  [
    'user, password and a code in one form',
    [field({ label: 'User' }), field(secret()), field({ label: 'OTP (optional)' })],
    ['IDENTITY', 'PASSWORD', 'CODE'],
  ],
  [
    'user, password and a hidden code in one form',
    [
      field({ label: 'User' }),
      field(secret({ label: 'Password' })),
      field(secret({ label: 'One-time code' })),
    ],
    ['IDENTITY', 'PASSWORD', 'CODE'],
  ],
  [
    'a CAPTCHA field next to a password',
    [
      field({ label: '用户名' }),
      field(secret({ label: '密码' })),
      field({ label: '验证码', hasPicture: true }),
    ],
    ['IDENTITY', 'PASSWORD', 'OTHER'],
  ],
  [
    'a password and its repetition',
    [
      field({ type: 'email' }),
      field(secret({ label: 'Password' })),
      field(secret({ label: 'Confirm password' })),
    ],
    ['IDENTITY', 'NEW_PASSWORD', 'NEW_PASSWORD'],
  ],
  [
    'a password that is replaced, in order',
    [field(secret()), field(secret()), field(secret())],
    ['PASSWORD', 'NEW_PASSWORD', 'NEW_PASSWORD'],
  ],
  [
    'a password that is replaced, by words',
    [field(secret({ label: '現在のパスワード' })), field(secret({ label: '新しいパスワード' }))],
    ['PASSWORD', 'NEW_PASSWORD'],
  ],
  ['six boxes', boxes(6), Array<FieldKind>(6).fill('CODE')],
  ['four hidden boxes', boxes(4, { type: 'password' }), Array<FieldKind>(4).fill('CODE')],
  [
    'boxes of which the first takes a pasted code',
    [field({ maxLength: 6, isNumeric: true }), ...boxes(5, { isNumeric: true })],
    Array<FieldKind>(6).fill('CODE'),
  ],
  [
    'boxes labeled with their digit',
    Array.from({ length: 6 }, (_, index) => field({ label: `Digit ${index + 1} of 6` })),
    Array<FieldKind>(6).fill('CODE'),
  ],
  ['three boxes', boxes(3), ['OTHER', 'OTHER', 'OTHER']],
  ['a row of twelve boxes', boxes(12), Array<FieldKind>(12).fill('OTHER')],
  [
    'a PIN next to a user',
    [field({ label: 'User' }), field(secret({ label: 'PIN' }))],
    ['IDENTITY', 'PASSWORD'],
  ],
])('%s', (_, fields, kinds) => {
  expect(fieldKinds(fields)).toEqual(kinds)
})

const user = field({ type: 'email', names: 'email', label: 'Email address' })
const shown = (facts: Partial<FieldFacts> = {}) => field({ names: 'password', label: 'Password', ...facts })

test.each<[string, FieldFacts[], boolean, FieldKind[]]>([
  ['next to a button that signs in', [user, shown()], true, ['IDENTITY', 'PASSWORD']],
  ['next to other buttons', [user, shown()], false, ['IDENTITY', 'SHOWN_SECRET']],
  ['without an identity field', [shown()], true, ['SHOWN_SECRET']],
  ['hidden by its style', [user, shown({ isMasked: true })], false, ['IDENTITY', 'PASSWORD']],
  ['hidden by its style, alone', [shown({ isMasked: true })], false, ['PASSWORD']],
  ['that is a new one', [user, shown({ label: 'New password' })], true, ['IDENTITY', 'SHOWN_SECRET']],
  ['next to a hidden one', [user, field(secret()), shown()], true, ['IDENTITY', 'PASSWORD', 'SHOWN_SECRET']],
])('a password shown as text, %s', (_, fields, signsIn, kinds) => {
  expect(fieldKinds(fields, () => signsIn)).toEqual(kinds)
})

test.each([
  ['ada@example.com', true],
  ['ada.byron', true],
  ['DOMAIN/ada', true],
  ['DOMAIN\\ada', true],
  ["o'brien@example.com", true],
  ['Ada Byron', false],
  ['<script>', false],
  ['', false],
  ['a'.repeat(255), false],
])('%s can be an identity: %s', (text, can) => {
  expect(isIdentity(text)).toBe(can)
})

test.each([
  ['Ada Byron', true],
  ['Maria de la Cruz', true],
  ['ada', false],
  ['Ada  Byron', false],
  ['Ada Byron, Acme', false],
  ['all the people who work here', false],
  [`Ada ${'b'.repeat(254)}`, false],
])('%s can be a user name of several words: %s', (text, can) => {
  expect(isNameOfWords(text)).toBe(can)
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
  ['inserted as one text', typing(['insertText', 'secret-secret', 13]), 13, false],
  ['set by a script, without any event', untouched, 6, false],
  ['started by hand and finished by a script', typing(...keys('se')), 6, false],
  [
    'pasted, emptied and typed',
    typing(['insertFromPaste', null, 6], ['deleteContentBackward', null, 0], ...keys('abc')),
    3,
    true,
  ],
  ['pasted, then finished by hand', typing(['insertFromPaste', null, 3], ['insertText', 'x', 4]), 4, false],
  ['nothing', untouched, 0, false],
])('a value that was %s counts as typed by hand or not', (_, state, length, byHand) => {
  expect(isTypedByHand(state, length)).toBe(byHand)
})

const form = {}
const gone = { form, name: 'password', value: 'secret' }

test.each<[string, { form?: object | null; name?: string }, string, number, string | null, boolean]>([
  ['a key at the end', {}, 'secrets', 7, 's', true],
  ['a key in the middle', {}, 'secxret', 4, 'x', true],
  ['a key deleted', {}, 'secre', 5, null, true],
  ['a key that replaces a selection', {}, 'x', 1, 'x', true],
  ['a key in another field', { name: 'pin' }, 'secrets', 7, 's', false],
  ['a key in another form', { form: null }, 'secrets', 7, 's', false],
  ['a key after another text', {}, 'terces7', 7, '7', false],
])('a field that replaces a typed one keeps its typing after %s, or not', (...row) => {
  const [, field, value, caret, data, goesOn] = row
  const before = valueBefore(value, caret, data)
  expect(replaces({ form, name: 'password', ...field }, before, gone)).toBe(goesOn)
})

test.each([
  ['secret', true],
  ['secret-of-the-page', false],
  ['sec', false],
])('a field with %s that replaces a typed one counts as typed: %s', (value, isTyped) => {
  const now = { start: value, end: '', isWhole: true }
  expect(replaces({ form, name: 'password' }, now, gone)).toBe(isTyped)
})
