import { expect, test } from 'vitest'
import { namedVariants } from './named-variants.ts'
import { stepWordsOf } from './step-texts.ts'
import { dimensions, plainVariant, variantWith } from './variant-dimensions.ts'
import { dice, drawVariant } from './variant-draw.ts'
import { exclusionOf } from './variant-rules.ts'
import { languages, wordsOf } from './variant-texts.ts'
import { truthOf } from './variant-truth.ts'

const host = 'v1.variants.example'
const drawn = (seed: number, count = 300) => {
  const roll = dice(seed)
  return Array.from({ length: count }, () => drawVariant(roll))
}

test('a seed determines the drawn variants', () => {
  expect(drawn(7)).toEqual(drawn(7))
  expect(drawn(7)).not.toEqual(drawn(8))
})

test('every drawn variant is valid and keeps the fixed values', () => {
  expect(drawn(3).map(exclusionOf)).toEqual(Array.from({ length: 300 }))
  const roll = dice(5)
  const refused = Array.from({ length: 100 }, () => drawVariant(roll, { task: 'login', story: 'wrong' }))
  expect(new Set(refused.map(({ story }) => story))).toEqual(new Set(['wrong']))
})

test('each value of each dimension is drawn', () => {
  const variants = drawn(1, 2_000)
  for (const [name, values] of Object.entries(dimensions)) {
    const seen = new Set<unknown>(variants.map((variant) => variant[name as keyof typeof dimensions]))
    expect(
      values.filter((value) => !seen.has(value)),
      name,
    ).toEqual([])
  }
})

test('fixed values without a valid variant are an error', () => {
  expect(() => drawVariant(dice(1), { structure: 'steps', refusal: 'page-302' })).toThrow(/no variant/)
})

test('every named variant is valid and has a unique name', () => {
  const invalid = namedVariants.map(({ name, variant }) => [name, exclusionOf(variant)])
  expect(invalid.filter(([, reason]) => reason !== undefined)).toEqual([])
  expect(new Set(namedVariants.map(({ name }) => name)).size).toBe(namedVariants.length)
  expect(namedVariants.filter(({ quick }) => quick).length).toBeLessThanOrEqual(20)
})

test('each language has every text', () => {
  for (const language of languages)
    expect([...Object.values(wordsOf(language)), ...Object.values(stepWordsOf(language))]).not.toContain('')
})

test('only a completed login is expected, with its details', () => {
  const plain = { identity: 'ada.byron@acme-works.example', typed: true, mfa: null, host }
  expect(truthOf(plainVariant, host)).toEqual([plain])
  expect(truthOf(variantWith({ story: 'pasted', who: 'name' }), host)).toEqual([
    { ...plain, identity: 'ada.byron', typed: false },
  ])
  expect(truthOf(variantWith({ structure: 'foreign-iframe' }), host)).toEqual([
    { ...plain, host: `id.${host}` },
  ])
  expect(truthOf(variantWith({ story: 'wrong' }), host)).toEqual([])
  expect(truthOf(variantWith({ story: 'leave' }), host)).toEqual([])
})

test('a second step counts only if it was completed in this login', () => {
  const mfa = (different: Parameters<typeof variantWith>[0]) =>
    truthOf(variantWith(different), host).map((login) => login.mfa)
  expect(mfa({ step: 'sms' })).toEqual(['SMS_OTP'])
  expect(mfa({ step: 'totp-boxes', stepEnd: 'wrong-then-right' })).toEqual(['APP_TOTP'])
  expect(mfa({ step: 'untold' })).toEqual(['ANY'])
  expect(mfa({ step: 'totp', stepEnd: 'remembered' })).toEqual([null])
  expect(mfa({ step: 'totp', stepEnd: 'wrong' })).toEqual([])
  expect(mfa({ step: 'push', stepEnd: 'abandoned' })).toEqual([])
})

test('a form for anything but the user’s own account is no login', () => {
  const logins = dimensions.task.filter((task) => truthOf(variantWith({ task }), host).length > 0)
  expect(logins).toEqual(['login', 'sign-up', 'sign-up-mail-code', 'checkout-account'])
})
