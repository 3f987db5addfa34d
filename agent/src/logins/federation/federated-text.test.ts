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
    'as hint beside a token without it',
    { token: token({ sub: '1' }), loginHint: 'ada@example.com' },
    'ada@example.com',
  ],
  [
    'as hint beside a token of another kind',
    { token: '4/0AX4', loginHint: 'ada@example.com' },
    'ada@example.com',
  ],
  ['nowhere: the hint is no address', { token: '4/0AX4', loginHint: '117' }, null],
  ['nowhere: the claim is no text', { token: token({ email: ['ada@example.com'] }) }, null],
  ['nowhere: the claim is no address', { token: token({ email: 'ada <ada@example.com>' }) }, null],
  ['nowhere: the token holds no object', { token: token(null) }, null],
  ['nowhere: the token is not base64', { token: 'a.%.c' }, null],
  [
    'nowhere: the token is too long',
    { token: token({ email: 'ada@example.com', more: 'x'.repeat(30_000) }) },
    null,
  ],
  ['nowhere: there is nothing', {}, null],
])('who signed in by a provider stands %s', (_, parts, email) => {
  expect(seen(parts)).toEqual({ providerHost: 'accounts.google.com', email })
})

test.each([
  ['no address', 'gsi/fedcm.json'],
  ['an address without TLS', 'http://accounts.google.com/gsi/fedcm.json'],
  ['no text', { toString: (): string => configUrl }],
  ['lines of a page’s own making', `x\n${configUrl}`],
])('there is no provider where it is %s', (_, given) => {
  expect(seen({ configUrl: given, token: token({ email: 'ada@example.com' }) })).toBeNull()
})
