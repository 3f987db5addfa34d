import { expect, test } from 'vitest'
import { maliciousExtensionSignal } from './malicious-extension.ts'

test.each([
  { risk: 'HIGH', enabled: true, severity: 'HIGH', response: 'MONITORED' },
  { risk: 'HIGH', enabled: false, severity: 'MEDIUM', response: 'BLOCKED' },
  { risk: 'MEDIUM', enabled: true, severity: 'MEDIUM', response: 'MONITORED' },
  { risk: 'MEDIUM', enabled: false, severity: 'LOW', response: 'BLOCKED' },
  { risk: 'LOW', enabled: true, severity: 'LOW', response: 'MONITORED' },
  { risk: 'LOW', enabled: false, severity: 'LOW', response: 'BLOCKED' },
] as const)(
  'risk $risk, enabled $enabled: $severity and $response',
  ({ risk, enabled, severity, response }) => {
    expect(maliciousExtensionSignal('abc', risk, enabled)).toEqual({
      detectionType: 'MALICIOUS_BROWSER_EXTENSION',
      severity,
      response,
      appId: null,
      appType: null,
      url: null,
      referrerUrl: null,
      subject: 'abc',
    })
  },
)
