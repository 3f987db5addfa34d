import {
  saysAnyCode,
  saysCode,
  saysCurrentPassword,
  saysIdentity,
  saysIdentityBesidePassword,
  saysNewPassword,
  saysNoIdentity,
  saysOtherCode,
  saysOtherThanIdentity,
  saysPassword,
  saysRepeatedPassword,
} from './words/word-tests.ts'

/** Facts about a field, without its value. Words are normalized (`plainText`). */
export interface FieldFacts {
  /** Lower-case `type`; also `password` for a password field that currently shows its text. */
  readonly type: string
  /** Lower case. */
  readonly autocomplete: string
  /** `name`, `id` and similar attributes, split into words: `userName` as `user name`. */
  readonly names: string
  /** Text that labels the field: label, placeholder, text before it. */
  readonly label: string
  /** True if `type` is readable text but the style draws dots. */
  readonly isMasked: boolean
  /** True if only digits are expected: `inputmode`, `pattern`, `type`. */
  readonly isNumeric: boolean
  /** -1 for none. */
  readonly maxLength: number
  /** True if a person can see it. */
  readonly isVisible: boolean
  /** True if a picture is right next to it, as with a CAPTCHA. */
  readonly hasPicture: boolean
  /** Text around the field, up to a few lines. Read only if the facts above are not sufficient. */
  readonly around: string
}

/** `SHOWN_SECRET`: readable field named like a password; it may not contain one. */
export type FieldKind = 'PASSWORD' | 'NEW_PASSWORD' | 'SHOWN_SECRET' | 'IDENTITY' | 'CODE' | 'OTHER'

/** Facts about the other fields of the same form. */
interface FormContext {
  /** Number of other visible fields of `type` password. */
  readonly passwords: number
  /** True if it is the only visible text field. */
  readonly isAlone: boolean
}

interface Rule {
  readonly kind: FieldKind
  /** Conditions that must all hold. */
  readonly when: readonly ((field: FieldFacts, context: FormContext) => boolean)[]
}

const textTypes = new Set(['text', 'email', 'tel', 'number', 'search', 'url', ''])
const takesText = ({ type }: FieldFacts) => type === 'password' || textTypes.has(type)
const isHidden = ({ type }: FieldFacts) => type === 'password'
const hasType =
  (...types: string[]) =>
  ({ type }: FieldFacts) =>
    types.includes(type)
const completes =
  (...tokens: string[]) =>
  ({ autocomplete }: FieldFacts) =>
    autocomplete.split(/\s+/).some((token) => tokens.includes(token))
const labeled =
  (says: (text: string) => boolean) =>
  ({ label }: FieldFacts) =>
    says(label)
const called =
  (says: (text: string) => boolean) =>
  ({ label, names }: FieldFacts) =>
    says(label) || says(names)
const isShort = ({ maxLength }: FieldFacts) => maxLength >= 4 && maxLength <= 10
const isAlone = (_: FieldFacts, context: FormContext) => context.isAlone
const isBesidePassword = (_: FieldFacts, context: FormContext) => context.passwords > 0
type Test = Rule['when'][number]
const not =
  (test: Test): Test =>
  (field, context) =>
    !test(field, context)
const either =
  (...tests: Test[]): Test =>
  (field, context) =>
    tests.some((test) => test(field, context))
const both =
  (...tests: Test[]): Test =>
  (field, context) =>
    tests.every((test) => test(field, context))

/** Matches one-time codes but not other codes. `one-time password` is a name for a code. */
const isCalledCode: Test = both(called(saysCode), not(called(saysOtherCode)))
const isNamedIdentity: Test = ({ names }) => saysIdentity(names) && !saysPassword(names)
const looksLikeCode: Test = either(({ isNumeric }) => isNumeric, isShort)

/**
 * Rules for field kinds; the first matching rule wins. Declarations for the browser (`type`, `autocomplete`) take
 * precedence over visible text, and visible text over internal names.
 */
const rules: readonly Rule[] = [
  { kind: 'OTHER', when: [not(takesText)] },
  { kind: 'CODE', when: [completes('one-time-code')] },

  // Hidden text.
  { kind: 'PASSWORD', when: [isHidden, completes('current-password')] },
  {
    kind: 'CODE',
    when: [isHidden, labeled(saysCode), not(labeled(saysOtherCode)), not(called(saysRepeatedPassword))],
  },
  {
    kind: 'CODE',
    when: [isHidden, isCalledCode, not(labeled(saysPassword)), either(isAlone, isBesidePassword)],
  },
  {
    kind: 'CODE',
    when: [isHidden, called(saysAnyCode), not(labeled(saysPassword)), looksLikeCode, isAlone],
  },
  { kind: 'NEW_PASSWORD', when: [isHidden, completes('new-password')] },
  { kind: 'PASSWORD', when: [isHidden, called(saysCurrentPassword)] },
  { kind: 'NEW_PASSWORD', when: [isHidden, either(called(saysNewPassword), called(saysRepeatedPassword))] },
  { kind: 'PASSWORD', when: [isHidden] },

  // Readable text.
  { kind: 'PASSWORD', when: [completes('current-password')] },
  {
    kind: 'NEW_PASSWORD',
    when: [
      completes('new-password'),
      not(hasType('email')),
      either(called(saysPassword), not(called(saysIdentity))),
    ],
  },
  { kind: 'OTHER', when: [hasType('search')] },
  { kind: 'OTHER', when: [called(saysNoIdentity)] },
  { kind: 'IDENTITY', when: [completes('username', 'email', 'webauthn')] },
  { kind: 'IDENTITY', when: [hasType('email'), not(called(saysCode))] },
  // Takes precedence over the name: a sign-up field may be called `sign-in-name-input`.
  { kind: 'OTHER', when: [completes('name', 'given-name', 'family-name', 'nickname', 'organization')] },
  {
    kind: 'OTHER',
    when: [isBesidePassword, ({ hasPicture }) => hasPicture, either(called(saysCode), called(saysAnyCode))],
  },
  { kind: 'CODE', when: [isCalledCode] },
  { kind: 'CODE', when: [({ names }) => /\bpass ?code\b/.test(names), not(called(saysOtherCode))] },
  {
    kind: 'CODE',
    when: [called(saysAnyCode), not(called(saysOtherCode)), looksLikeCode, ({ isNumeric }) => isNumeric],
  },
  {
    kind: 'CODE',
    when: [
      isAlone,
      not(called(saysOtherCode)),
      not(called(saysIdentity)),
      not(labeled(saysIdentityBesidePassword)),
      ({ around }) => saysCode(around),
    ],
  },
  {
    kind: 'CODE',
    when: [
      isAlone,
      looksLikeCode,
      not(called(saysOtherCode)),
      not(called(saysIdentity)),
      not(labeled(saysIdentityBesidePassword)),
      ({ around }) => saysAnyCode(around) && !saysOtherCode(around),
    ],
  },
  // `user[password]` matches both. A password field that shows its text has the type `text`, never `email`.
  {
    kind: 'SHOWN_SECRET',
    when: [not(hasType('email')), called(saysPassword), not(labeled(saysIdentity))],
  },
  { kind: 'SHOWN_SECRET', when: [not(hasType('email')), labeled(saysPassword), not(isNamedIdentity)] },
  { kind: 'IDENTITY', when: [called(saysIdentity)] },
  { kind: 'OTHER', when: [] },
]

const isText = (field: FieldFacts) => takesText(field) && field.isVisible

/** Returns the kind of a field in the context of its form. */
function kindInForm(field: FieldFacts, all: readonly FieldFacts[]): FieldKind {
  const others = all.filter((other) => other !== field && isText(other))
  const context = { passwords: others.filter(isHidden).length, isAlone: others.length === 0 }
  return rules.find(({ when }) => when.every((test) => test(field, context)))?.kind ?? 'OTHER'
}

const boxesMinimum = 4
const boxesMaximum = 8

/** Returns a row of one-character fields. The first or last may accept a whole pasted code. */
function codeBoxes(fields: readonly FieldFacts[]): ReadonlySet<FieldFacts> {
  const shown = fields.filter((field) => field.isVisible && takesText(field))
  const isBox = ({ maxLength, label, names }: FieldFacts) =>
    maxLength === 1 || /\bdigit \d|\bdigit\d|# of \d|\b\d of \d\b/.test(`${label} ${names}`)
  const boxes = shown.filter(isBox)
  if (boxes.length < boxesMinimum - 1 || boxes.length > boxesMaximum) return new Set()
  const start = shown.findIndex(isBox)
  const end = shown.findLastIndex(isBox)
  if (end - start + 1 !== boxes.length) return new Set()
  const edges = [shown[start - 1], shown[end + 1]].filter(
    (field) =>
      field !== undefined &&
      field.maxLength >= boxes.length &&
      field.maxLength <= boxesMaximum &&
      field.isNumeric,
  )
  const row = [...boxes, ...edges.slice(0, 1)].filter((field) => field !== undefined)
  return new Set(row.length >= boxesMinimum ? row : [])
}

/** Corrects kinds by the order of the passwords: a password followed by its repetition is a new password. */
function withRepeated(fields: readonly FieldFacts[], kinds: readonly FieldKind[]): FieldKind[] {
  const passwords = kinds.flatMap((kind, index) =>
    (kind === 'PASSWORD' || kind === 'NEW_PASSWORD') && fields[index]?.isVisible ? [index] : [],
  )
  const isRepeated = (index: number | undefined) => {
    const field = fields[index ?? -1]
    return field !== undefined && (saysRepeatedPassword(field.label) || saysRepeatedPassword(field.names))
  }
  const isCurrent = (index: number) => {
    const field = fields[index]
    return field !== undefined && (completes('current-password')(field) || called(saysCurrentPassword)(field))
  }
  return kinds.map((kind, index) => {
    const place = passwords.indexOf(index)
    if (kind !== 'PASSWORD' || place < 0 || isCurrent(index)) return kind
    if (passwords.length === 3 && place > 0) return 'NEW_PASSWORD'
    return passwords.length === 2 &&
      place === 0 &&
      isRepeated(passwords[1]) &&
      kinds[passwords[1] ?? -1] === 'NEW_PASSWORD'
      ? 'NEW_PASSWORD'
      : kind
  })
}

const mayName = (field: FieldFacts) =>
  isText(field) &&
  ['text', 'tel', 'number', ''].includes(field.type) &&
  ![saysOtherThanIdentity, saysNoIdentity].some((says) => called(says)(field))

/**
 * Finds the identity field if no other field is one: the last field before the password with matching words, such as
 * `Member number`; otherwise the field right before the password, whatever its name.
 */
function withIdentity(fields: readonly FieldFacts[], kinds: readonly FieldKind[]): FieldKind[] {
  const password = kinds.findIndex(
    (kind, index) => (kind === 'PASSWORD' || kind === 'NEW_PASSWORD') && fields[index]?.isVisible,
  )
  if (password < 0 || kinds.includes('IDENTITY')) return [...kinds]
  const before = fields.slice(0, password).map((field, index) => ({ field, index }))
  const unknown = before.filter(({ field, index }) => kinds[index] === 'OTHER' && isText(field))
  const named = unknown.findLast(({ field }) => mayName(field) && called(saysIdentityBesidePassword)(field))
  const last = before.findLast(({ field }) => isText(field))
  const found =
    named ??
    (last && kinds[last.index] === 'OTHER' && mayName(last.field) && !called(saysOtherCode)(last.field)
      ? last
      : undefined)
  return kinds.map((kind, index) => (index === found?.index ? 'IDENTITY' : kind))
}

/** Treats the only readable or style-masked secret of a sign-in form as its password. */
function withShownPassword(
  fields: readonly FieldFacts[],
  kinds: readonly FieldKind[],
  signsIn: () => boolean,
): FieldKind[] {
  const secrets = kinds.flatMap((kind, index) =>
    /^(?:PASSWORD|NEW_PASSWORD|SHOWN_SECRET)$/.test(kind) && fields[index]?.isVisible ? [index] : [],
  )
  const [only = -1] = secrets
  const field = fields[only]
  if (secrets.length !== 1 || kinds[only] !== 'SHOWN_SECRET' || !field) return [...kinds]
  if (called(saysNewPassword)(field) || called(saysRepeatedPassword)(field)) return [...kinds]
  const asksWho = kinds.some((kind, index) => kind === 'IDENTITY' && fields[index]?.isVisible)
  return field.isMasked || (asksWho && signsIn()) ? kinds.with(only, 'PASSWORD') : [...kinds]
}

/**
 * Returns the kinds of the fields of one form.
 *
 * @param fields in page order
 * @param signsIn returns true if a button of the form signs in; called only if a password may be shown as text
 */
export function fieldKinds(fields: readonly FieldFacts[], signsIn: () => boolean = () => false): FieldKind[] {
  const boxes = codeBoxes(fields)
  const single = fields.map((field) => (boxes.has(field) ? 'CODE' : kindInForm(field, fields)))
  return withIdentity(fields, withShownPassword(fields, withRepeated(fields, single), signsIn))
}
