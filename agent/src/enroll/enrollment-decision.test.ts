import { describe, expect, test } from 'vitest'
import type { Connection } from '../state/connection.ts'
import {
  decideLink,
  decideManaged,
  enrollmentLink,
  mustDisconnect,
  serverOrigin,
} from './enrollment-decision.ts'

const own = 'https://muster.example.com'
const other = 'https://evil.example.net'
const connected = (serverUrl: string, state: Connection['state'] = 'ENROLLED'): Connection => ({
  serverUrl,
  browserId: 'b',
  credential: 'c',
  source: 'MANAGED',
  state,
})

describe('an address is an enrollment link', () => {
  test.each([
    ['https://muster.example.com/enroll/mel_5vJ3xk0Y', own, 'mel_5vJ3xk0Y'],
    ['https://muster.example.com/enroll/mel_5-J/?utm=1#top', own, 'mel_5-J'],
    ['https://muster.example.com:8443/enroll/a', 'https://muster.example.com:8443', 'a'],
    ['http://localhost:8443/enroll/a', 'http://localhost:8443', 'a'],
  ])('%s', (address, serverUrl, token) => {
    expect(enrollmentLink(address)).toEqual({ serverUrl, token })
  })

  test.each([
    'http://muster.example.com/enroll/a',
    'https://muster.example.com/enroll/',
    'https://muster.example.com/x/enroll/a',
    'https://muster.example.com/enroll/a/b',
    'https://muster.example.com/enroll/a%20b',
    `https://muster.example.com/enroll/${'a'.repeat(257)}`,
    'chrome-extension://ibldkgglafofgpgdbkgkanfdkbdgpakh/enroll/a',
    'not an address',
  ])('but not %s', (address) => {
    expect(enrollmentLink(address)).toBeNull()
  })
})

test.each([
  ['https://muster.example.com', own],
  ['https://muster.example.com/some/path', own],
  ['http://muster.example.com', null],
  ['http://127.0.0.1:8443', 'http://127.0.0.1:8443'],
  ['http://127.evil.example', null],
  ['http://localhost.evil.example', null],
  ['ftp://muster.example.com', null],
  ['muster.example.com', null],
])('the server at %s is %s', (address, origin) => {
  expect(serverOrigin(address)).toBe(origin)
})

describe('a link', () => {
  const link = { serverUrl: own, token: 't' }
  test.each([
    ['without policy or connection asks', {}, null, 'ASK'],
    ['asks if another server is connected, because the employee decides', {}, connected(other), 'ASK'],
    ['asks again if its own server is connected', {}, connected(own), 'ASK'],
    ['of a server other than the policy’s is ignored', { serverUrl: other }, null, 'IGNORE'],
    ['of another server is ignored even if connected', { serverUrl: other }, connected(other), 'IGNORE'],
    ['of the policy’s server asks while there is no connection', { serverUrl: own }, null, 'ASK'],
    [
      'of that server asks after the credential was revoked',
      { serverUrl: own },
      connected(own, 'REVOKED'),
      'ASK',
    ],
    ['of that server is ignored once enrolled', { serverUrl: own }, connected(own), 'IGNORE'],
    ['of that server is ignored while dormant', { serverUrl: own }, connected(own, 'DORMANT'), 'IGNORE'],
    ['is ignored if the policy’s server is invalid', { serverUrl: 'nonsense' }, null, 'IGNORE'],
  ] as const)('%s', (_, managed, current, decision) => {
    expect(decideLink(link, managed, current)).toBe(decision)
  })
})

describe('managed policy', () => {
  const managed = { serverUrl: `${own}/`, enrolmentToken: 'met_1' }
  const tried = (notBeforeMs: number, token = 'met_1') => ({ key: `${own} ${token}`, notBeforeMs })
  test.each([
    ['enrolls if there is no connection', managed, null, null, 'ENROL'],
    ['moves a browser that is connected elsewhere', managed, connected(other), null, 'ENROL'],
    ['does not touch an existing connection', managed, connected(own), null, 'NOTHING'],
    ['does not touch a dormant connection', managed, connected(own, 'DORMANT'), null, 'NOTHING'],
    ['enrolls again after the credential was rejected', managed, connected(own, 'REVOKED'), null, 'ENROL'],
    ['does not retry immediately', managed, connected(own, 'REVOKED'), tried(1001), 'NOTHING'],
    [
      'retries after the clock was set back',
      managed,
      connected(own, 'REVOKED'),
      tried(1001 + 60 * 60_000),
      'ENROL',
    ],
    ['retries after the wait', managed, connected(own, 'REVOKED'), tried(1000), 'ENROL'],
    ['tries immediately with another token', managed, null, tried(9999, 'met_0'), 'ENROL'],
    ['without a token does nothing', { serverUrl: own }, null, null, 'NOTHING'],
    ['without a server does nothing', { enrolmentToken: 'met_1' }, null, null, 'NOTHING'],
    [
      'with an unsafe server does nothing',
      { ...managed, serverUrl: 'http://a.example' },
      null,
      null,
      'NOTHING',
    ],
    ['does nothing if it is empty', {}, null, null, 'NOTHING'],
  ] as const)('%s', (_, configuration, current, attempt, decision) => {
    expect(decideManaged(configuration, current, attempt, 1000)).toBe(decision)
  })
})

test.each([
  ['ends if policy names another server', { serverUrl: own }, connected(other), true],
  ['ends even while dormant', { serverUrl: own, enrolmentToken: 'met_1' }, connected(other, 'DORMANT'), true],
  ['stays if policy names its server', { serverUrl: `${own}/` }, connected(own), false],
  ['stays if policy names no server', { enrolmentToken: 'met_1' }, connected(other), false],
  ['stays if the policy’s server is invalid', { serverUrl: 'nonsense' }, connected(other), false],
  ['that does not exist cannot end', { serverUrl: own }, null, false],
] as const)('a connection %s', (_, managed, current, ends) => {
  expect(mustDisconnect(managed, current)).toBe(ends)
})
