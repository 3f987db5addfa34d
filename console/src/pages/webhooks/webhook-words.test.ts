import { expect, test } from 'vitest'
import { headersIn, webhookHealth, webhookName } from './webhook-words.ts'

test('headers are read one from each line, and lines that are none are told', () => {
  const { headers, wrongLines } = headersIn(
    'Authorization: Bearer a:b\n\n  X-Team :  blue \nno header\n: empty',
  )
  expect(headers).toEqual([
    { name: 'Authorization', value: 'Bearer a:b' },
    { name: 'X-Team', value: 'blue' },
  ])
  expect(wrongLines).toEqual([4, 5])
})

test('an endpoint is called by its name, else by its host', () => {
  expect(webhookName({ name: 'SIEM', url: 'https://a.example/x' })).toBe('SIEM')
  expect(webhookName({ name: null, url: 'https://a.example:8443/x' })).toBe('a.example:8443')
})

test('health tells who switched an endpoint off, and how many attempts of a day failed', () => {
  const facts = { enabled: true, disabledReason: null, dayDelivered: 0, dayFailed: 0 }
  const textOf = (more: object) => webhookHealth({ ...facts, ...more }).text
  expect(textOf({})).toBe('Enabled')
  expect(textOf({ dayDelivered: 9 })).toBe('Healthy')
  expect(textOf({ dayDelivered: 9, dayFailed: 1 })).toBe('Some failures')
  expect(textOf({ dayDelivered: 1, dayFailed: 9 })).toBe('Failing')
  expect(textOf({ enabled: false, disabledReason: 'ADMINISTRATOR' })).toBe('Disabled')
  expect(textOf({ enabled: false, disabledReason: 'FAILURES' })).toBe('Disabled after failures')
})
