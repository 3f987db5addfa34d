import { type Static, Type } from 'typebox'
import {
  closed,
  email,
  id,
  listOf,
  nullable,
  oneOf,
  secret,
  strictEmail,
  text,
  timestamp,
  typedName,
} from '../fields.ts'
import { roles } from './console-operation.ts'

/** The shortest password that an administrator may have, in characters. */
export const passwordLengthMinimum = 12

/** A password that is being chosen; its length is judged with its other weaknesses. */
export const newPassword = secret(
  `At least ${passwordLengthMinimum} characters, no common password, not the e-mail address.`,
  'correct horse battery staple',
  1024,
  1,
)

/** A password that is given to prove who one is. */
export const givenPassword = secret('The password.', 'correct horse battery staple', 1024, 1)

/** The token of a link: 43 characters of base64url. */
export const linkToken = secret('The token behind the # of the link.', 'x'.repeat(43), 64, 1)

/** The digits that an authenticator app shows. */
export const totpCode = Type.String({
  description: 'The 6 digits that the authenticator app shows.',
  examples: ['123456'],
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
})

/** A link that was made and mailed. */
export const mailedLink = {
  link: text('The link, shown this once, for when mail does not arrive.', 'https://…', 1024),
  expirationTimestamp: timestamp('When the link stops working.'),
  sentBy: oneOf(
    ['SMTP', 'FILE', 'FAILED'],
    'Whether the mail went to the mail server, into a file because none is set up, or nowhere.',
    'SMTP',
  ),
}

export const role = oneOf(roles, 'What the administrator may do.', 'OWNER')
export const personName = typedName('The name of the person.', 'Ada Byron', 128, 0)
export const administratorEmail = strictEmail('The e-mail address of the administrator.')

/** A second step of signing in. */
export const secondFactors = ['TOTP', 'PASSKEY', 'RECOVERY_CODE'] as const
export type SecondFactor = (typeof secondFactors)[number]
export const secondFactorList = listOf(
  oneOf(secondFactors, 'A second step of signing in.', 'TOTP'),
  'The second steps that can be taken.',
  ['TOTP'],
  secondFactors.length,
)

/** What WebAuthn exchanges: its shape is the standard's, and the server's library checks it. */
export const webAuthnJson = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'JSON of the Web Authentication API, as browsers read and write it.',
})

export const Administrator = closed(
  {
    id: id('The id of the administrator.'),
    email: email('The e-mail address, unique in the organization.'),
    name: personName,
    role,
    secondFactors: secondFactorList,
    signsInByPassword: Type.Boolean({ description: 'Whether there is a password.', examples: [true] }),
    signsInByOidc: Type.Boolean({
      description: 'Whether the person has signed in by single sign-on.',
      examples: [false],
    }),
    creationTimestamp: timestamp('When the administrator was added.'),
    lastSignInTimestamp: nullable(timestamp('When the administrator last signed in.')),
  },
  { $id: 'Administrator', description: 'A person who uses the console.' },
)
export type Administrator = Static<typeof Administrator>

/** An answer that says nothing but that it was done. */
export const Done = closed({}, { description: 'It was done.' })
