import { mfaMethods } from '@muster/contract/account'
import { weakPasswordReasons } from '@muster/contract/finding'
import type { Observation, ObservationKind } from './observation-messages.ts'

/**
 * Whether what a content script sent has the shape it must have. A page cannot send, but the process that
 * shows it may be taken over, and with it the content script.
 */
type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

const flag: Check = (value) => typeof value === 'boolean'
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const text =
  (maximum: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= maximum
const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const list =
  (check: Check, maximum: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= maximum && value.every(check)

/** An object of just these members. */
const object =
  (shape: Shape): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).every((name) => Object.hasOwn(shape, name)) &&
    Object.entries(shape).every(([name, check]) => check((value as Record<string, unknown>)[name]))

const identity = matches(/^[^\s<>"]{1,254}$/u)
const fingerprint = matches(/^[0-9a-f]{8}$/)
const nothing = object({})

const attempt = object({
  identity: orNull(identity),
  isActivated: flag,
  password: object({
    fingerprint,
    length: number,
    sha1: orNull(matches(/^[0-9A-F]{40}$/)),
    weakReasons: list(oneOf(...weakPasswordReasons), weakPasswordReasons.length),
    manuallyTyped: orNull(flag),
  }),
})

const state = object({
  passwordField: flag,
  identityField: flag,
  codeField: flag,
  codeEntered: flag,
  secondStep: oneOf(null, 'UNKNOWN', ...mfaMethods),
  error: flag,
  isSameDocument: flag,
  documentMs: number,
  requests: number,
  requestStatus: number,
})

const words = list(text(300), 100)
const features = object({
  title: text(300),
  headings: words,
  text: text(4_000),
  fieldNames: words,
  pictureHosts: words,
  scriptHosts: words,
  linkHosts: words,
  formHosts: words,
  pictureWords: words,
  marks: list(text(60), 40),
})

const shapes: Readonly<Record<ObservationKind, Check>> = {
  passwordKit: nothing,
  typingKit: nothing,
  loginWatch: nothing,
  withdrawAttempt: nothing,
  loginAttempt: object({ attempt }),
  pageState: object({ state }),
  identitySeen: object({ identity, isChosen: flag }),
  typedText: object({ fingerprint }),
  judgePage: object({ features }),
}

/** Whether a message is one of the observers', and as it must be. */
export function isObservation(message: unknown): message is Observation {
  if (typeof message !== 'object' || message === null || !('observation' in message)) return false
  const { observation, body } = message as Observation
  return Object.hasOwn(shapes, observation) && shapes[observation](body)
}
