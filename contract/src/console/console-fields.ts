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
} from '../api/fields.ts'
import { roles } from './console-operation.ts'

/** Minimum password length of administrators, in characters. */
export const passwordLengthMinimum = 12

/** A new password. Its length is checked together with its other weaknesses. */
export const newPassword = secret(
  `At least ${passwordLengthMinimum} characters, no common password, not the e-mail address.`,
  'correct horse battery staple',
  1024,
  1,
)

/** A password for authentication. */
export const givenPassword = secret('The password.', 'correct horse battery staple', 1024, 1)

/** New name of an organization. */
export const organizationName = typedName('Name of the organization; must be unique.', 'Example Inc.', 128)

/** Token of a link: 43 characters of base64url. */
export const linkToken = secret('The token behind the # of the link.', 'x'.repeat(43), 64, 1)

/** Code of an authenticator app. */
export const totpCode = Type.String({
  description: 'The 6 digits that the authenticator app shows.',
  examples: ['123456'],
  minLength: 6,
  maxLength: 6,
  pattern: '^[0-9]{6}$',
})

/** A created link and its delivery. */
export const mailedLink = {
  link: text('The link, shown once, in case the e-mail does not arrive.', 'https://…', 1024),
  expirationTimestamp: timestamp('Time when the link stops working.'),
  sentBy: oneOf(
    ['SMTP', 'FILE', 'FAILED'],
    'Delivery of the e-mail: to the mail server, to a file because no server is configured, or failed.',
    'SMTP',
  ),
}

export const role = oneOf(roles, 'Role of the administrator.', 'OWNER')
export const personName = typedName('The name of the person.', 'Ada Byron', 128, 0)
export const administratorEmail = strictEmail('The e-mail address of the administrator.')

/** A second factor. */
export const secondFactors = ['TOTP', 'PASSKEY', 'RECOVERY_CODE'] as const
export type SecondFactor = (typeof secondFactors)[number]
export const secondFactorList = listOf(
  oneOf(secondFactors, 'A second factor.', 'TOTP'),
  'Available second factors.',
  ['TOTP'],
  secondFactors.length,
)

/** WebAuthn messages. The server's library validates them. */
export const webAuthnJson = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'JSON of the Web Authentication API, as browsers read and write it.',
})

export const Administrator = closed(
  {
    id: id('ID of the administrator.'),
    email: email('The e-mail address, unique in the organization.'),
    name: personName,
    role,
    secondFactors: secondFactorList,
    signsInByPassword: Type.Boolean({ description: 'True if there is a password.', examples: [true] }),
    signsInByOidc: Type.Boolean({
      description: 'True if the person has signed in by single sign-on.',
      examples: [false],
    }),
    creationTimestamp: timestamp('Time when the administrator was added.'),
    lastSignInTimestamp: nullable(timestamp('Time when the administrator last signed in.')),
  },
  { $id: 'Administrator', description: 'A person who uses the console.' },
)
export type Administrator = Static<typeof Administrator>

/** Empty success response. */
export const Done = closed({}, { description: 'It was done.' })
