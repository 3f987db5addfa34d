import { expect, test } from 'vitest'
import { federatedIdentity, federatedText } from './federated-text.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (claims: unknown) => `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`
const configUrl = 'https://accounts.google.com/gsi/fedcm.json'
const seen = (parts: { configUrl?: unknown; loginHint?: unknown; token?: unknown }) =>
  federatedIdentity(federatedText({ configUrl, loginHint: undefined, token: undefined, ...parts }))

test.each<[string, Parameters<typeof seen>[0], string | null]>([
  [
    'in the token',
    { token: token({ email: 'zoë@example.com' }), loginHint: 'ada@example.com' },
    'zoë@example.com',
  ],
  [
    'as user name in the token',
    { token: token({ preferred_username: 'ada@example.com' }) },
    'ada@example.com',
  ],
  [
    'as hint next to a token without it',
    { token: token({ sub: '1' }), loginHint: 'ada@example.com' },
    'ada@example.com',
  ],
  ['as hint next to an opaque token', { token: '4/0AX4', loginHint: 'ada@example.com' }, 'ada@example.com'],
  ['nowhere: the hint is not an address', { token: '4/0AX4', loginHint: '117' }, null],
  ['nowhere: the claim is not a string', { token: token({ email: ['ada@example.com'] }) }, null],
  ['nowhere: the claim is not an address', { token: token({ email: 'ada <ada@example.com>' }) }, null],
  ['nowhere: the token contains no object', { token: token(null) }, null],
  ['nowhere: the token is not base64', { token: 'a.%.c' }, null],
  [
    'nowhere: the token is too long',
    { token: token({ email: 'ada@example.com', more: 'x'.repeat(30_000) }) },
    null,
  ],
  ['nowhere: there is nothing', {}, null],
])('the identity of a FedCM sign-in is found %s', (_, parts, email) => {
  expect(seen(parts)).toEqual({ providerHost: 'accounts.google.com', email })
})

test.each([
  ['no address', 'gsi/fedcm.json'],
  ['an address without TLS', 'http://accounts.google.com/gsi/fedcm.json'],
  ['not a string', { toString: (): string => configUrl }],
  ['several lines made up by a page', `x\n${configUrl}`],
])('there is no provider if its address is %s', (_, given) => {
  expect(seen({ configUrl: given, token: token({ email: 'ada@example.com' }) })).toBeNull()
})
