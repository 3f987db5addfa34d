import type { PageThreatEvent, ProtectionMode } from '@muster/contract/agent/agent-event'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import type { ThreatVerdict } from '../logins/observation-messages.ts'
import { ask } from '../messages.ts'

type Response = PageThreatEvent['response']

/** Reported response before the employee has decided. */
const firstResponse: Readonly<Record<ProtectionMode, Response>> = {
  MONITOR: 'MONITORED',
  WARN: 'EMPLOYEE_WARNED',
  BLOCK: 'BLOCKED',
}

/** Report of a threat on this page that is updated as it develops; the server merges the updates into one detection. */
export interface ThreatReport {
  readonly verdict: ThreatVerdict
  /** Reports that the employee continued despite the warning. */
  ignored(): void
  /** Reports that the password was entered. */
  passwordEntered(): void
}

/** Maximum number of reports per page, so it cannot flood the server. */
const reportsMaximum = 12
let reports = 0

/** Reports a threat and the response to it, and returns the report for updates. */
export function startThreatReport(verdict: ThreatVerdict): ThreatReport {
  let response = firstResponse[verdict.mode]
  let entered = false
  const report = () => {
    if (reports++ >= reportsMaximum) return
    void ask('report', {
      report: {
        kind: 'PAGE_THREAT',
        threat: verdict.threat,
        referrerUrl: trimmedUrl(document.referrer),
        mode: verdict.mode,
        response,
        passwordEntered: entered,
        appType: verdict.appType,
      },
    })
  }
  report()
  return {
    verdict,
    ignored: () => {
      response = 'EMPLOYEE_IGNORED_WARNING'
      report()
    },
    passwordEntered: () => {
      if (entered || response === 'BLOCKED') return
      entered = true
      report()
    },
  }
}
