import type { PageThreatEvent } from '@muster/contract/agent/agent-event'
import { expect, test } from 'vitest'
import { pageThreatSignal } from './page-threat.ts'

const event = (members: Partial<PageThreatEvent>): PageThreatEvent => ({
  id: 'e',
  kind: 'PAGE_THREAT',
  timestamp: 1,
  threat: 'CLONED_LOGIN_PAGE',
  url: 'https://okta.example/',
  referrerUrl: null,
  mode: 'WARN',
  response: 'EMPLOYEE_WARNED',
  passwordEntered: false,
  appType: 'OKTA',
  ...members,
})
const signalOf = (members: Partial<PageThreatEvent>) =>
  pageThreatSignal(event(members), { appId: null, appType: 'OKTA' }, 'okta.example')

const severities = [
  { response: 'BLOCKED', entered: false, phishing: 'LOW', malware: 'LOW' },
  { response: 'BLOCKED', entered: true, phishing: 'LOW', malware: 'LOW' },
  { response: 'EMPLOYEE_WARNED', entered: false, phishing: 'MEDIUM', malware: 'MEDIUM' },
  { response: 'EMPLOYEE_WARNED', entered: true, phishing: 'CRITICAL', malware: 'MEDIUM' },
  { response: 'MONITORED', entered: false, phishing: 'HIGH', malware: 'HIGH' },
  { response: 'MONITORED', entered: true, phishing: 'CRITICAL', malware: 'HIGH' },
  { response: 'EMPLOYEE_IGNORED_WARNING', entered: false, phishing: 'HIGH', malware: 'HIGH' },
  { response: 'EMPLOYEE_IGNORED_WARNING', entered: true, phishing: 'CRITICAL', malware: 'HIGH' },
] as const

test.each(severities)(
  '$response, password entered $entered: phishing is $phishing',
  ({ response, entered, phishing }) => {
    for (const threat of ['CLONED_LOGIN_PAGE', 'PHISHING_TOOL', 'PROTECTED_PASSWORD_ENTERED'] as const) {
      expect(signalOf({ threat, response, passwordEntered: entered })).toEqual({
        detectionType: 'PHISHING',
        severity: phishing,
        response,
        appId: null,
        appType: 'OKTA',
        url: 'https://okta.example/',
        referrerUrl: null,
        subject: 'okta.example',
      })
    }
  },
)

test.each(severities)(
  '$response, password entered $entered: copy-paste is $malware',
  ({ response, entered, malware }) => {
    const signal = signalOf({ threat: 'MALICIOUS_COPY_PASTE', response, passwordEntered: entered })
    expect(signal).toMatchObject({ detectionType: 'MALWARE_DELIVERY', severity: malware, response })
  },
)
