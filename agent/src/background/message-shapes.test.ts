import { matches } from '@muster/contract/api/matches'
import { describe, expect, test } from 'vitest'
import { messageRules } from './message-shapes.ts'

const threat = {
  kind: 'PAGE_THREAT',
  threat: 'CLONED_LOGIN_PAGE',
  referrerUrl: null,
  mode: 'WARN',
  response: 'EMPLOYEE_WARNED',
  passwordEntered: false,
  appType: null,
}
const banner = { kind: 'APP_BANNER', bannerId: 'genai', action: 'ACKNOWLEDGED', reason: 'Needed.' }
const isTaken = (report: unknown) => matches(messageRules.report.shape, { report })

describe('a report of a content script is accepted', () => {
  test.each([
    ['a threat', threat],
    ['an answer to a banner', banner],
  ])('%s', (_, report) => {
    expect(isTaken(report)).toBe(true)
  })
})

describe('a report of a content script is rejected', () => {
  test.each([
    ['an address chosen by the sender', { ...threat, url: 'https://app.example.com/' }],
    ['a visit, which only the background reports', { kind: 'VISIT' }],
    ['a host chosen by the sender', { ...banner, host: 'app.example.com' }],
    ['an ID or a time chosen by the sender', { ...banner, id: 'x', timestamp: 1 }],
    ['a heartbeat', { kind: 'HEARTBEAT' }],
    ['a login', { kind: 'LOGIN', email: 'ada@example.com' }],
    ['an unknown threat', { ...threat, threat: 'BAD_MOOD' }],
    ['a reason that is too long', { ...banner, reason: 'x'.repeat(1001) }],
    ['half a report', { kind: 'PAGE_THREAT' }],
    ['no report', null],
  ])('%s', (_, report) => {
    expect(isTaken(report)).toBe(false)
  })
})

test.each([
  ['ada@example.com', true],
  ['ACME\\ada', true],
  ['Ada Byron', true],
  ['Ada  Byron', false],
  [' Ada', false],
  ['Ada\nByron', false],
  ['<b>Ada</b>', false],
  ['', false],
  ['a'.repeat(255), false],
])('accepts %j as an identity: %s', (identity, isIdentity) => {
  const seen = { identity, isChosen: false, isAskedAlone: false }
  expect(matches(messageRules.identitySeen.shape, seen)).toBe(isIdentity)
})

test('only the agent’s own pages may request its status and answer enrollment questions', () => {
  for (const kind of [
    'getStatus',
    'reportNow',
    'getPendingEnrollment',
    'answerEnrollment',
    'blockPage',
  ] as const)
    expect(messageRules[kind].from).not.toBe('PAGE')
  expect(messageRules.answerEnrollment.from).toEqual(['enroll.html'])
})

test('every message kind has a rate limit', () => {
  for (const { rate } of Object.values(messageRules)) {
    expect(rate.burst).toBeGreaterThan(0)
    expect(rate.burst).toBeLessThanOrEqual(1000)
    expect(rate.perSecond).toBeLessThanOrEqual(100)
  }
})
