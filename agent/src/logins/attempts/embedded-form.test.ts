import { expect, test } from 'vitest'
import { isForOtherService } from './embedded-form.ts'

test.each([
  ['https://cdn.plaid.com/link', 'https://shop.example/pay', true],
  ['https://cdn.plaid.com/link', 'https://dashboard.plaid.com/', false],
  ['https://lms.schwab.com/login', 'https://www.schwab.com/', false],
  ['https://login.example/', 'https://shop.example/', false],
  ['https://cdn.plaid.com/link', null, false],
])('the form of %s in %s asks for another service: %s', (frame, top, expected) => {
  expect(isForOtherService(frame, top)).toBe(expected)
})
