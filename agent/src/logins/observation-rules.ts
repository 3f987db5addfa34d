import { mfaMethods } from '@muster/contract/records/account'
import { weakPasswordReasons } from '@muster/contract/records/finding'
import { type TSchema, Type } from 'typebox'
import type { RateBound } from '../background/message-rate.ts'
import type { MessageRule } from '../background/message-shapes.ts'
import type { FormState } from './login-messages.ts'
import type { ObservationKind } from './observation-messages.ts'

/**
 * Shapes and rate limits of messages from page observers. A page cannot send messages, but its process may be
 * compromised, and the content script with it.
 */
const strictObject = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false })
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])
const text = (maxLength: number) => Type.String({ maxLength })
const flag = Type.Boolean()
const number = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const nothing = strictObject({})
const identity = Type.String({ pattern: '^[^\\s<>"]+(?: [^\\s<>"]+)*$', maxLength: 254 })
const fingerprint = Type.String({ pattern: '^[0-9a-f]{8}$' })

const hash = Type.String({ pattern: '^[0-9a-f]{8}$' })
const purposes: readonly FormState['purpose'][] = [
  'SIGN_IN',
  'FIRST_STEP',
  'SIGN_UP',
  'CODE',
  'CHANGE_PASSWORD',
  'SET_PASSWORD',
  'NEW_USER',
  'CONNECTION',
  'SETUP',
  'OTHER',
]
const purpose = Type.Enum([...purposes])
const codeState = Type.Enum(['EMPTY', 'PARTIAL', 'ENTERED'])
const look = {
  signOut: orNull(Type.Enum(['SHOWN', 'HIDDEN'])),
  accountMenu: flag,
  showsIdentity: orNull(flag),
  heading: hash,
}

const attempt = strictObject({
  identity: orNull(identity),
  isNewPassword: flag,
  isActivated: flag,
  isToldOf: flag,
  pressedMs: number,
  form: strictObject({ signature: hash, purpose }),
  code: orNull(strictObject({ state: codeState, method: orNull(Type.Enum([...mfaMethods])) })),
  before: strictObject({ ...look, messages: Type.Array(hash, { maxItems: 20 }) }),
  password: strictObject({
    fingerprint,
    length: number,
    sha1: orNull(Type.String({ pattern: '^[0-9A-F]{40}$' })),
    weakReasons: Type.Array(Type.Enum([...weakPasswordReasons]), { maxItems: weakPasswordReasons.length }),
    manuallyTyped: orNull(flag),
  }),
})

const state = strictObject({
  ...look,
  forms: Type.Array(
    strictObject({
      signature: hash,
      purpose,
      hasPassword: flag,
      hasIdentityField: flag,
      hasCode: flag,
      identity: orNull(hash),
    }),
    { maxItems: 10 },
  ),
  messages: Type.Array(
    strictObject({
      key: hash,
      kind: Type.Enum(['REFUSED', 'LOCKED', 'TAKEN', 'PASSWORD_RULE', 'UNKNOWN']),
      place: Type.Enum(['FORM', 'TOAST', 'PAGE']),
    }),
    { maxItems: 20 },
  ),
  code: orNull(codeState),
  secondStep: orNull(Type.Enum(['UNKNOWN', ...mfaMethods])),
  confirmsAddress: flag,
  asksForPerson: flag,
  signInControl: orNull(Type.Enum(['SIGN_IN', 'BACK_TO_SIGN_IN'])),
  isReady: flag,
  isLeft: flag,
  isTouched: flag,
  isSameDocument: flag,
  documentMs: number,
  requests: number,
  requestStatus: number,
})

const words = Type.Array(text(300), { maxItems: 100 })
const features = strictObject({
  title: text(300),
  headings: words,
  text: text(4_000),
  fieldNames: words,
  pictureHosts: words,
  scriptHosts: words,
  linkHosts: words,
  formHosts: words,
  pictureWords: words,
  marks: Type.Array(text(60), { maxItems: 40 }),
})

const rule = (shape: TSchema, rate: RateBound): MessageRule => ({ from: 'PAGE', shape, rate })
/** Messages that a person causes by typing and pressing. */
const byHand: RateBound = { burst: 30, perSecond: 2 }
/** Messages that follow a browser prompt. */
const byConsent: RateBound = { burst: 10, perSecond: 0.1 }
/** Messages that every frame of a page may send. */
const eachFrame: RateBound = { burst: 300, perSecond: 20 }

export const observationRules: Readonly<Record<ObservationKind, MessageRule>> = {
  passwordKit: rule(nothing, byHand),
  typingKit: rule(nothing, byHand),
  loginWatch: rule(nothing, eachFrame),
  withdrawAttempt: rule(nothing, byHand),
  loginAttempt: rule(strictObject({ attempt }), byHand),
  pageState: rule(strictObject({ state }), eachFrame),
  identitySeen: rule(strictObject({ identity, isChosen: flag, isAskedAlone: flag }), byHand),
  codeHandedIn: rule(nothing, byHand),
  federatedIdentity: rule(
    strictObject({
      providerHost: Type.String({ minLength: 1, maxLength: 253 }),
      email: orNull(Type.String({ pattern: '^[^\\s<>"@]{1,200}@[^\\s<>"@]{1,253}$', maxLength: 254 })),
    }),
    byConsent,
  ),
  assertion: rule(nothing, byConsent),
  typedText: rule(strictObject({ fingerprint }), byHand),
  earlyCopy: rule(
    strictObject({
      copy: strictObject({ text: text(100_000), selected: text(100_000), readable: text(100_000) }),
    }),
    byHand,
  ),
  judgePage: rule(strictObject({ features }), byHand),
}
