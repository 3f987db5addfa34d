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

/** Facts about one field; its value is not among them. Words are normalized (`plainText`). */
export interface FieldFacts {
  /** Its `type`, lower case; `password` also for one whose text is shown for now. */
  readonly type: string
  /** Lower case. */
  readonly autocomplete: string
  /** `name`, `id` and the like, spelled out: `userName` as `user name`. */
  readonly names: string
  /** Text that people read at the field: label, placeholder, text before it. */
  readonly label: string
  /** True if its text can be read by its `type`, but its style draws dots. */
  readonly isMasked: boolean
  /** True if only digits are expected: `inputmode`, `pattern`, `type`. */
  readonly isNumeric: boolean
  /** -1 for none. */
  readonly maxLength: number
  /** A person can see it. */
  readonly isVisible: boolean
  /** A picture stands right beside it, as where somebody copies letters from one. */
  readonly hasPicture: boolean
  /** Words around it, up to a few lines. Read only where the facts above do not suffice. */
  readonly around: string
}

/** SHOWN_SECRET: named after a password, and readable; it is not known whether there is one in it. */
export type FieldKind = 'PASSWORD' | 'NEW_PASSWORD' | 'SHOWN_SECRET' | 'IDENTITY' | 'CODE' | 'OTHER'

/** Facts about the fields that are handed in together with one. */
interface Beside {
  /** Other visible fields of `type` password. */
  readonly passwords: number
  /** True if it is the only visible field for text. */
  readonly isAlone: boolean
}

interface Rule {
  readonly kind: FieldKind
  /** All of these hold. */
  readonly when: readonly ((field: FieldFacts, beside: Beside) => boolean)[]
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
const isAlone = (_: FieldFacts, beside: Beside) => beside.isAlone
const isBesidePassword = (_: FieldFacts, beside: Beside) => beside.passwords > 0
type Test = Rule['when'][number]
const not =
  (test: Test): Test =>
  (field, beside) =>
    !test(field, beside)
const either =
  (...tests: Test[]): Test =>
  (field, beside) =>
    tests.some((test) => test(field, beside))
const both =
  (...tests: Test[]): Test =>
  (field, beside) =>
    tests.every((test) => test(field, beside))

/** A one-time code is called so, and not after a password; `one-time password` is the name of a code. */
const isCalledCode: Test = both(called(saysCode), not(called(saysOtherCode)))
const isNamedIdentity: Test = ({ names }) => saysIdentity(names) && !saysPassword(names)
const looksLikeCode: Test = either(({ isNumeric }) => isNumeric, isShort)

/**
 * Kinds by the facts that tell them; the first rule that holds counts. What the page declares for the browser (`type`,
 * `autocomplete`) comes before what it says to people, and that before the names it gave for itself.
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

  // Text that can be read.
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
  // Whatever it is called: a field of a sign-up may be the `sign-in-name-input`.
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
  // `user[password]` names both. A field that is shown by its `type` would be `text`, never `email`.
  {
    kind: 'SHOWN_SECRET',
    when: [not(hasType('email')), called(saysPassword), not(labeled(saysIdentity))],
  },
  { kind: 'SHOWN_SECRET', when: [not(hasType('email')), labeled(saysPassword), not(isNamedIdentity)] },
  { kind: 'IDENTITY', when: [called(saysIdentity)] },
  { kind: 'OTHER', when: [] },
]

const isText = (field: FieldFacts) => takesText(field) && field.isVisible

/** Returns the kind of one field that is handed in together with others. */
function kindBeside(field: FieldFacts, all: readonly FieldFacts[]): FieldKind {
  const others = all.filter((other) => other !== field && isText(other))
  const beside = { passwords: others.filter(isHidden).length, isAlone: others.length === 0 }
  return rules.find(({ when }) => when.every((test) => test(field, beside)))?.kind ?? 'OTHER'
}

const boxesMinimum = 4
const boxesMaximum = 8

/** A row of fields for one character each; the first or last may take all of a pasted code. */
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

/** The kind that the order of the passwords tells: a password before one that repeats it is set by both. */
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
 * Where nothing else asks who signs in: the last field before the password that has words for it, such as `Member number`;
 * else the one right before the password, whatever it is called.
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

/** The only secret of a login that is shown, or hidden by its style alone, is its password. */
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
 * Returns what each of the fields is for that are handed in together.
 *
 * @param fields in the order of the page
 * @param signsIn true if a button beside them says that it signs in; asked only where a password may be shown
 */
export function fieldKinds(fields: readonly FieldFacts[], signsIn: () => boolean = () => false): FieldKind[] {
  const boxes = codeBoxes(fields)
  const single = fields.map((field) => (boxes.has(field) ? 'CODE' : kindBeside(field, fields)))
  return withIdentity(fields, withShownPassword(fields, withRepeated(fields, single), signsIn))
}
