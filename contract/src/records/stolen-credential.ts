import { type Static, Type } from 'typebox'
import { closed, count, line, listOf, secret, strictEmail } from '../api/fields.ts'
import { operation } from '../api/operation.ts'

const address = strictEmail('The e-mail address that was stolen with the password.')

const WithPassword = closed(
  {
    email: address,
    password: secret('The password in plain text; it is hashed immediately.', 'correct horse', 1024, 1),
  },
  { description: 'An address with its password.' },
)

const WithSha1 = closed(
  {
    email: address,
    passwordSha1: Type.String({
      description: 'The SHA-1 of the password, in hexadecimal.',
      examples: ['5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8'],
      minLength: 40,
      maxLength: 40,
      pattern: '^[0-9a-fA-F]{40}$',
    }),
  },
  { description: 'An address with the SHA-1 of its password.' },
)

export const StolenCredential = Type.Union([WithPassword, WithSha1], {
  description: 'A stolen credential: an address with its password or the SHA-1 of the password.',
  examples: [{ email: 'ada.byron@example.com', passwordSha1: '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8' }],
})
export type StolenCredential = Static<typeof StolenCredential>

export const StolenCredentialsCreation = closed(
  {
    source: Type.Optional(line('The feed that the credentials come from.', 'acme-intelligence', 64)),
    credentials: listOf(
      StolenCredential,
      'The credentials.',
      [{ email: 'ada.byron@example.com', password: 'correct horse' }],
      10_000,
      { minItems: 1 },
    ),
  },
  { $id: 'StolenCredentialsCreation', description: 'Stolen credentials and their source.' },
)
export type StolenCredentialsCreation = Static<typeof StolenCredentialsCreation>

export const StolenCredentialsAddition = closed(
  {
    count: count('Number of added credentials.', 42),
    duplicates: count('Number of credentials that existed already.', 3),
  },
  { $id: 'StolenCredentialsAddition', description: 'Result of the addition.' },
)
export type StolenCredentialsAddition = Static<typeof StolenCredentialsAddition>

export const StolenCredentialsDeletion = closed(
  { count: count('Number of deleted credentials.', 42) },
  { $id: 'StolenCredentialsDeletion', description: 'Result of the deletion.' },
)
export type StolenCredentialsDeletion = Static<typeof StolenCredentialsDeletion>

export const stolenCredentialOperations = {
  addStolenCredentials: operation({
    kind: 'action',
    method: 'POST',
    path: '/v1/controls/stolenCredentials',
    summary: 'Add stolen credentials sourced from other threat intelligence feeds',
    description:
      'Passwords are never stored, logged or readable. Only the address and a salted slow hash are kept. The body may have 8 MiB.',
    tag: 'controls',
    body: StolenCredentialsCreation,
    response: StolenCredentialsAddition,
    errors: [],
    bodyLimitBytes: 8 * 1024 * 1024,
  }),
  deleteStolenCredentials: operation({
    kind: 'action',
    method: 'DELETE',
    path: '/v1/controls/stolenCredentials',
    summary: 'Delete all custom stolen credentials added to the organization',
    description: 'Returns the number of deleted records.',
    tag: 'controls',
    response: StolenCredentialsDeletion,
    errors: [],
  }),
}
