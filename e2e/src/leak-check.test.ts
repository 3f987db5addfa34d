import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { keptInClear, leaks } from './leak-check.ts'
import { musterHost } from './muster-service.ts'

const password = 'Wiretap-Mulberry-83-Kite'
const salt = '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const kept = [JSON.stringify({ 'password.book': { salt, entries: {} } })]
const to = (host: string, target: string, body: string) => ({
  method: 'POST',
  host,
  target,
  headers: '',
  body,
})
const found = (request: ReturnType<typeof to>) => leaks({ requests: [request], kept, secrets: [password] })

test.each([
  ['a password in a report', to(musterHost, '/agent/v1/events', `{"email":"${password}"}`)],
  ['one sent to a login path of another site', to(musterHost, '/login', `password=${password}`)],
  ['its fingerprint', to(musterHost, '/agent/v1/events', sha256(salt + password).slice(0, 8))],
  ['one in an address', to('zapier.com', `/home?p=${password}`, '')],
  ['one sent to another site', to('brass-verify.example', '/log', password)],
])('%s is a leak', (_, request) => {
  expect(found(request)).not.toEqual([])
})

test.each([
  ['a login at its own site', to('zapier.com', '/login', `email=a&password=${password}`)],
  ['a range lookup', to(musterHost, `/agent/v1/range/${sha256(password).slice(0, 5)}`, '')],
  ['a report without it', to(musterHost, '/agent/v1/events', `{"id":"${salt}"}`)],
])('%s is no leak', (_, request) => {
  expect(found(request)).toEqual([])
})

test('an agent may store the fingerprint, but neither the password nor an unsalted hash', () => {
  const of = (value: string) =>
    keptInClear({ requests: [], kept: [JSON.stringify({ salt, value })], secrets: [password] })
  expect(of(sha256(salt + password).slice(0, 8))).toEqual([])
  expect(of(password)).not.toEqual([])
  expect(of(sha256(password))).not.toEqual([])
})
