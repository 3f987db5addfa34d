import type { PolicyBanner } from '@muster/contract/agent/agent-policy'
import { describe, expect, test } from 'vitest'
import { bannerFor, isSnoozed, withAnswer } from './banner-choice.ts'

const banner = (overrides: Partial<PolicyBanner> = {}): PolicyBanner => ({
  id: 'genai',
  appType: 'CHATGPT',
  domain: null,
  mode: 'INFORM',
  title: 'Mind what you paste',
  subtext: '',
  buttonText: null,
  ...overrides,
})
const day = 24 * 60 * 60

describe('the banner of a page', () => {
  const ofApp = banner()
  const ofDomain = banner({ id: 'other', appType: null, domain: 'example.net' })

  test('is the banner of its app', () => {
    expect(bannerFor([ofDomain, ofApp], 'CHATGPT', 'chatgpt.com')).toBe(ofApp)
  })

  test('is the banner of its registrable domain outside the catalog', () => {
    expect(bannerFor([ofApp, ofDomain], null, 'example.net')).toBe(ofDomain)
  })

  test('is the first one that matches', () => {
    const second = banner({ id: 'second' })
    expect(bannerFor([second, ofApp], 'CHATGPT', 'chatgpt.com')).toBe(second)
  })

  test('is the one for all other apps, with the page’s app, but not outside the catalog', () => {
    const everywhere = banner({ id: 'everywhere', appType: null })
    expect(bannerFor([ofApp, ofDomain, everywhere], 'ZAPIER', 'zapier.com')).toEqual({
      ...everywhere,
      appType: 'ZAPIER',
    })
    expect(bannerFor([everywhere, ofApp], 'CHATGPT', 'chatgpt.com')).toBe(ofApp)
    expect(bannerFor([ofApp, everywhere], null, 'example.org')).toBeNull()
  })

  test('is null if none matches', () => {
    expect(bannerFor([ofApp, ofDomain], 'ZAPIER', 'zapier.com')).toBeNull()
    expect(bannerFor([ofApp], null, 'example.org')).toBeNull()
  })
})

describe('an answered banner', () => {
  test.each([
    ['INFORM', 1],
    ['ACKNOWLEDGE', 30],
    ['REASON', 30],
  ] as const)('of mode %s rests for %i days', (mode, days) => {
    const shown = banner({ mode })
    const answers = withAnswer({}, shown, 1000)
    expect(isSnoozed(answers, shown, 1000 + days * day - 1)).toBe(true)
    expect(isSnoozed(answers, shown, 1000 + days * day)).toBe(false)
  })

  test('never rests if it blocks', () => {
    const shown = banner({ mode: 'BLOCK' })
    expect(isSnoozed(withAnswer({}, shown, 1000), shown, 1000)).toBe(false)
  })

  test('is shown again with a changed text, and on another app', () => {
    const answers = withAnswer({}, banner(), 1000)
    expect(isSnoozed(answers, banner({ title: 'New title' }), 1001)).toBe(false)
    expect(isSnoozed(answers, banner({ appType: 'CLAUDE' }), 1001)).toBe(false)
  })
})

test('old and expired answers are removed', () => {
  let answers = withAnswer({}, banner({ id: 'first' }), 1000)
  for (let index = 0; index < 600; index += 1) answers = withAnswer(answers, banner({ id: `${index}` }), 1000)
  expect(Object.keys(answers)).toHaveLength(500)
  expect(isSnoozed(answers, banner({ id: '599' }), 1001)).toBe(true)
  expect(Object.keys(withAnswer(answers, banner(), 1000 + day))).toHaveLength(1)
})
