import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { loginPageUrl } from './login-url.ts'
import { trimmedUrl } from './trimmed-url.ts'

test.each([
  ['https://op.example.com/interaction/9bUs2mT_x0Yq1kLr3ZpVw', 'https://op.example.com/interaction/*'],
  [
    'https://op.example.com/interaction/Zk3fW1-a9Xq_2LmB7tYc0/login',
    'https://op.example.com/interaction/*/login',
  ],
  [
    'https://login.example.com/72f988bf-86f1-41af-91ab-2d7cd011db47/oauth2/v2.0/authorize',
    'https://login.example.com/*/oauth2/v2.0/authorize',
  ],
  ['https://example.com/s/0123456789abcdef0123456789abcdef', 'https://example.com/s/*'],
  ['https://example.com/login;jsessionid=1A2B3C4D5E6F', 'https://example.com/login'],
  [
    'https://example.com/app/(S(lit3py55t21z5v55vlm25s55))/login.aspx',
    'https://example.com/app/*/login.aspx',
  ],
  ['https://example.com/tenants/48151/login', 'https://example.com/tenants/*/login'],
  ['https://example.com/invite/ada@example.com/accept', 'https://example.com/invite/*/accept'],
  ['https://example.com/magic/token=abc', 'https://example.com/magic/*'],
  ['https://example.com/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'https://example.com/verify/*'],
  [
    'https://acme.okta.com/app/acme_app/exk1fcia6d6EMsf331d8/sso/saml',
    'https://acme.okta.com/app/acme_app/*/sso/saml',
  ],
  [`https://example.com/l/${'q'.repeat(60)}`, 'https://example.com/l/*'],
])('a one-time segment is replaced: %s', (address, expected) => {
  expect(loginPageUrl(address)).toBe(expected)
})

test.each([
  'https://example.com/',
  'https://example.com/login',
  'https://example.com/login/',
  'https://sso.example.com/realms/acme/login-actions/authenticate',
  'https://sso.example.com/realms/master/protocol/openid-connect/auth',
  'https://adfs.example.com/adfs/ls/',
  'https://example.com/if/flow/default-authentication-flow/',
  'https://example.com/simplesaml/module.php/core/loginuserpass.php',
  'https://example.com/accounts/signInWithEmailAndPassword',
  'https://example.com/oauth2/v2.0/authorize',
  'https://example.com/app/sign-in-with-password',
  'https://example.com/idp/SSO.saml2',
  'https://example.com/wp-login.php',
  'https://example.com/users/two-factor-authentication',
  'https://example.com:8443/web/index.html',
])('a path of words is kept: %s', (address) => {
  expect(loginPageUrl(address)).toBe(address)
})

test('user, query and fragment are removed, and non-web addresses give null', () => {
  expect(loginPageUrl('https://ada:secret@example.com/login?token=1#x')).toBe('https://example.com/login')
  expect([null, undefined, '', 'about:blank', 'data:text/html,x'].map(loginPageUrl)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})

const segment = fc.oneof(
  fc.webSegment(),
  fc.uuid(),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,200}$/),
  fc.nat().map(String),
  fc.constantFrom('login', 'signin;jsessionid=A1', '(S(abc))', '*', ''),
)
const addresses = fc
  .tuple(fc.webAuthority(), fc.array(segment, { maxLength: 40 }))
  .map(([authority, path]) => `https://${authority}/${path.join('/')}`)

test('every result is short, idempotent and of the same origin', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const once = loginPageUrl(address)
      if (once === null) return expect(trimmedUrl(address)).toBeNull()
      const { origin, pathname } = new URL(once)
      expect(loginPageUrl(once)).toBe(once)
      expect(origin).toBe(new URL(address).origin)
      expect(pathname.length).toBeLessThanOrEqual(512)
      expect(pathname).not.toMatch(/[;=@%?#]/)
    }),
  )
})

test('UUIDs and long hexadecimal numbers are always replaced', () => {
  const hex = fc
    .uint8Array({ minLength: 16, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex'))
  const ids = fc.oneof(
    fc.uuid(),
    hex.filter((text) => /\d/.test(text)),
  )
  fc.assert(
    fc.property(ids, (id) => {
      expect(loginPageUrl(`https://example.com/login/${id}/next`)).toBe('https://example.com/login/*/next')
    }),
  )
})

test('at least 99 % of tokens with 144 random bits are replaced', () => {
  const tokens = Array.from({ length: 2000 }, (_, n) =>
    createHash('sha256').update(`token ${n}`).digest('base64url'),
  )
  const kept = tokens
    .map((token) => token.slice(0, 24))
    .filter((token) => loginPageUrl(`https://example.com/login/${token}`) !== 'https://example.com/login/*')
  expect(kept.length).toBeLessThan(tokens.length / 100)
})
