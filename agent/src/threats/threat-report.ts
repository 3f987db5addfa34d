import type { PageThreatEvent, ProtectionMode } from '@muster/contract/agent-event'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import type { ThreatVerdict } from '../logins/observation-messages.ts'
import { ask } from '../messages.ts'

type Response = PageThreatEvent['response']

/** What is said of a threat where the employee has not decided anything yet. */
const firstResponse: Readonly<Record<ProtectionMode, Response>> = {
  MONITOR: 'MONITORED',
  WARN: 'EMPLOYEE_WARNED',
  BLOCK: 'BLOCKED',
}

/** A threat on this page, which is told as it unfolds; the server makes one detection of it. */
export interface ThreatStory {
  readonly verdict: ThreatVerdict
  /** The employee went on in spite of the warning. */
  ignored(): void
  /** The page was given the password. */
  passwordEntered(): void
}

/** No page is worth more reports than these: it may try to flood. */
const reportsMaximum = 12
let reports = 0

/** Begins to tell of a threat: reports that it was seen, and what was done. */
export function tellThreat(verdict: ThreatVerdict): ThreatStory {
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
