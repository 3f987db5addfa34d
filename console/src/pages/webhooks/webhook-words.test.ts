import { expect, test } from 'vitest'
import { headersIn, webhookHealth, webhookName } from './webhook-words.ts'

test('reads one header per line and reports invalid lines', () => {
  const { headers, wrongLines } = headersIn(
    'Authorization: Bearer a:b\n\n  X-Team :  blue \nno header\n: empty',
  )
  expect(headers).toEqual([
    { name: 'Authorization', value: 'Bearer a:b' },
    { name: 'X-Team', value: 'blue' },
  ])
  expect(wrongLines).toEqual([4, 5])
})

test('returns the name of an endpoint, or its host', () => {
  expect(webhookName({ name: 'SIEM', url: 'https://a.example/x' })).toBe('SIEM')
  expect(webhookName({ name: null, url: 'https://a.example:8443/x' })).toBe('a.example:8443')
})

test('health depends on who disabled the endpoint and on failed attempts', () => {
  const facts = { enabled: true, disabledReason: null, dayDelivered: 0, dayFailed: 0 }
  const textOf = (more: object) => webhookHealth({ ...facts, ...more }).text
  expect(textOf({})).toBe('Enabled')
  expect(textOf({ dayDelivered: 9 })).toBe('Healthy')
  expect(textOf({ dayDelivered: 9, dayFailed: 1 })).toBe('Some failures')
  expect(textOf({ dayDelivered: 1, dayFailed: 9 })).toBe('Failing')
  expect(textOf({ enabled: false, disabledReason: 'ADMINISTRATOR' })).toBe('Disabled')
  expect(textOf({ enabled: false, disabledReason: 'FAILURES' })).toBe('Disabled after failures')
})
