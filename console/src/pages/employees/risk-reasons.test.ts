import { expect, test } from 'vitest'
import { riskReasons } from './risk-reasons.ts'

test('lists each type once with its count, most severe first', () => {
  const reasons = riskReasons(
    'an-id',
    [
      {
        count: 1,
        worst: { detectionType: 'BLOCKED_URL', url: null, severity: 'LOW', response: 'BLOCKED' },
      },
      {
        count: 1234,
        worst: {
          detectionType: 'PHISHING',
          url: null,
          severity: 'CRITICAL',
          response: 'EMPLOYEE_IGNORED_WARNING',
        },
      },
    ],
    [
      { type: 'MFA_NOT_REGISTERED', count: null },
      { type: 'PASSWORD_MANAGER_NOT_USED', count: 1 },
    ],
  )
  expect(reasons.map(({ text, count, tone }) => [text, count, tone])).toEqual([
    ['Phishing', '1,234', 'critical'],
    ['No second factor', 'many', 'high'],
    ['Password manager not used', '1', 'medium'],
    ['Blocked address', '1', ''],
  ])
  expect(reasons[0]?.remedy).toContain('Ask what was entered.')
  expect(reasons[0]?.link).toEqual({
    to: '/detections',
    search: { employeeId: 'an-id', detectionType: 'PHISHING' },
  })
})

test('returns no reasons if nothing is open', () => {
  expect(riskReasons('an-id', [], [])).toEqual([])
})
