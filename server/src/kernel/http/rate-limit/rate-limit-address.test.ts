import { expect, test } from 'vitest'
import { fakeClock } from '../../lib/clock.ts'
import { addressBlock, failedAttemptLimiter } from './rate-limit-address.ts'

test('an address may fail 20 times at once, then 20 times per second', () => {
  const clock = fakeClock()
  const limiter = failedAttemptLimiter({ clock })
  const allowed = () =>
    Array.from({ length: 100 }, () => limiter.take('192.0.2.1')).filter((one) => one.allowed).length
  expect(allowed()).toBe(20)
  clock.advanceMs(50)
  expect(allowed()).toBe(1)
  expect(limiter.take('192.0.2.2').allowed).toBe(true)
})

test('a flood from new addresses takes limited memory', () => {
  const limiter = failedAttemptLimiter({ clock: fakeClock(), maxAddresses: 1_000 })
  for (let index = 0; index < 50_000; index += 1) limiter.take(`2001:db8:${index.toString(16)}::1`)
  expect(limiter.size).toBeLessThanOrEqual(1_001)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['not an address', 'not an address'],
])('%s is counted as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})
