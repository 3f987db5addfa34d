import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { type FactWeight, factWeights, type LoginFact, loginFacts, succeededAt } from './fact-weights.ts'
import { judge } from './judge.ts'

const weightOf = (fact: LoginFact): FactWeight => factWeights[fact]
const someFacts = fc.uniqueArray(fc.constantFrom(...loginFacts)).map((facts) => new Set(facts))
const moment = fc.constantFrom('WATCHING' as const, 'LEFT' as const)
const rank = { FAILED: 0, PENDING: 1, SUCCEEDED: 2 }

test('a returned form is never a login, regardless of other facts', () => {
  fc.assert(
    fc.property(someFacts, moment, (facts, when) => {
      expect(judge(new Set([...facts, 'SAME_FORM']), when).outcome).toBe('FAILED')
    }),
  )
})

test('negative evidence never improves the outcome, and positive evidence never worsens it', () => {
  fc.assert(
    fc.property(someFacts, fc.constantFrom(...loginFacts), moment, (facts, fact, when) => {
      const before = rank[judge(facts, when).outcome]
      const after = rank[judge(new Set([...facts, fact]), when).outcome]
      const { weight, holds } = weightOf(fact)
      if (weight <= 0) expect(after).toBeLessThanOrEqual(before)
      if (weight >= 0 && !holds) expect(after).toBeGreaterThanOrEqual(before)
    }),
  )
})

test('an attempt does not succeed while a fact holds it', () => {
  fc.assert(
    fc.property(someFacts, moment, (facts, when) => {
      const isHeld = [...facts].some((fact) => weightOf(fact).holds)
      fc.pre(isHeld)
      expect(judge(facts, when).outcome).not.toBe('SUCCEEDED')
    }),
  )
})

test('a dialog closed while a WebSocket is open is no login, even if its page is left', () => {
  const facts = new Set<LoginFact>(['FORM_GONE', 'STAYED_BRIEFLY', 'STAYED', 'NEW_LOOK', 'ASKED_UNSEEN'])
  expect(judge(facts, 'LEFT').outcome).toBe('FAILED')
})

test('no single fact makes a login', () => {
  for (const fact of loginFacts) expect(weightOf(fact).weight).toBeLessThan(succeededAt)
})

test('every judgment contains its facts and weights', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const { score, reasons } = judge(facts)
      expect(new Set(reasons.map(({ fact }) => fact))).toEqual(facts)
      expect(reasons.reduce((sum, { weight }) => sum + weight, 0)).toBe(score)
    }),
  )
})

test('a page that was left is decided finally', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      expect(judge(facts, 'LEFT').outcome).not.toBe('PENDING')
    }),
  )
})

test.each<[string, LoginFact[], string]>([
  ['a landing page with a sign-out control', ['MOVED_ON', 'FORM_GONE', 'SIGN_OUT_SHOWN'], 'SUCCEEDED'],
  ['a landing page with an account menu', ['MOVED_ON', 'FORM_GONE', 'ACCOUNT_MENU_SHOWN'], 'SUCCEEDED'],
  [
    'a landing page at the address of the form',
    ['SAME_ADDRESS', 'COOKIE_SET', 'FORM_GONE', 'SIGN_OUT_SHOWN', 'NEW_LOOK'],
    'SUCCEEDED',
  ],
  [
    'a landing page without a mark, immediately',
    ['MOVED_ON', 'REDIRECTED', 'COOKIE_SET', 'FORM_GONE', 'NEW_LOOK'],
    'PENDING',
  ],
  [
    'a landing page without a mark that stays',
    ['MOVED_ON', 'REDIRECTED', 'FORM_GONE', 'STAYED'],
    'SUCCEEDED',
  ],
  [
    'a landing page without a mark from which the employee navigates on',
    ['MOVED_ON', 'REDIRECTED', 'COOKIE_SET', 'FORM_GONE', 'WENT_ON'],
    'SUCCEEDED',
  ],
  [
    'a landing page with an error elsewhere and a sign-out control',
    ['MOVED_ON', 'REDIRECTED', 'FORM_GONE', 'SIGN_OUT_SHOWN', 'NEW_ERROR', 'STAYED'],
    'SUCCEEDED',
  ],
  ['a page with only an error', ['MOVED_ON', 'REDIRECTED', 'FORM_GONE', 'NEW_ERROR', 'STAYED'], 'PENDING'],
  ['a rejected form that is not drawn yet', ['SAME_ADDRESS', 'COOKIE_SET', 'FORM_GONE'], 'PENDING'],
  ['a script that removed the form', ['REQUEST_ACCEPTED', 'FORM_GONE'], 'PENDING'],
  ['a script that removed the form permanently', ['REQUEST_ACCEPTED', 'FORM_GONE', 'STAYED'], 'SUCCEEDED'],
  [
    'a script that removed the form after a rejection',
    ['REQUEST_REFUSED', 'FORM_GONE', 'STAYED', 'NEW_LOOK'],
    'PENDING',
  ],
  [
    'a form that stays after a rejection',
    ['REQUEST_REFUSED', 'FORM_WAITS', 'FORM_OUTLIVES_ANSWER'],
    'FAILED',
  ],
  ['a form that stays after 200', ['REQUEST_ACCEPTED', 'FORM_WAITS', 'FORM_OUTLIVES_ANSWER'], 'PENDING'],
  ['a form with an error message', ['REQUEST_ACCEPTED', 'FORM_WAITS', 'NEW_ERROR_AT_FORM'], 'FAILED'],
  [
    'a login dialog closed after a response',
    ['REQUEST_ACCEPTED', 'FORM_GONE', 'STAYED', 'NEW_LOOK', 'FORM_OUTLIVED_ANSWER'],
    'PENDING',
  ],
  [
    'a public page',
    ['MOVED_ON', 'REDIRECTED', 'COOKIE_SET', 'FORM_GONE', 'STAYED', 'SIGN_IN_CONTROL'],
    'PENDING',
  ],
  [
    'a second step abandoned for a public page',
    ['MOVED_ON', 'REDIRECTED', 'COOKIE_SET', 'FORM_GONE', 'CODE_NOT_ENTERED', 'STAYED'],
    'PENDING',
  ],
  [
    'a window that closed itself, and its opener changed',
    ['REQUEST_ACCEPTED', 'POPUP_CLOSED', 'OPENER_CHANGED'],
    'SUCCEEDED',
  ],
  ['a window that was closed', ['MOVED_ON', 'REDIRECTED', 'COOKIE_SET', 'POPUP_CLOSED'], 'PENDING'],
  ['a form of a signed-in user', ['SIGNED_IN_BEFORE'], 'FAILED'],
  ['settings that store credentials', ['NO_SIGN_IN_FORM'], 'FAILED'],
  [
    'a setup after which nobody is signed in',
    ['SETUP_FORM', 'MOVED_ON', 'REDIRECTED', 'COOKIE_SET', 'FORM_GONE', 'NEW_LOOK'],
    'PENDING',
  ],
])('%s', (_, facts, expected) => {
  expect(judge(new Set(facts)).outcome).toBe(expected)
})
