import { expect, test } from 'vitest'
import { riskReasons } from './risk-reasons.ts'

test('kinds are told once with how many there are, the worst first', () => {
  const reasons = riskReasons(
    'an-id',
    [
      { detectionType: 'BLOCKED_URL', url: null, severity: 'LOW', response: 'BLOCKED' },
      { detectionType: 'PHISHING', url: null, severity: 'MEDIUM', response: 'BLOCKED' },
      { detectionType: 'PHISHING', url: null, severity: 'CRITICAL', response: 'EMPLOYEE_IGNORED_WARNING' },
    ],
    [{ type: 'MFA_NOT_REGISTERED' }, { type: 'MFA_NOT_REGISTERED' }, { type: 'PASSWORD_MANAGER_NOT_USED' }],
  )
  expect(reasons.map(({ text, count, tone }) => [text, count, tone])).toEqual([
    ['Phishing', 2, 'critical'],
    ['No second factor', 2, 'high'],
    ['Password manager not used', 1, 'medium'],
    ['Blocked address', 1, ''],
  ])
  expect(reasons[0]?.remedy).toContain('Ask what was typed in.')
  expect(reasons[0]?.path).toBe('/detections?employeeId=an-id&detectionType=PHISHING')
})

test('where nothing is open there is no reason', () => {
  expect(riskReasons('an-id', [], [])).toEqual([])
})
