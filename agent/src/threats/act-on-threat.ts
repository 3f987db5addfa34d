import { fetchPart } from '../loader/fetch-part.ts'
import type { ThreatVerdict } from '../logins/observation-messages.ts'
import { startThreatReport, type ThreatReport } from './threat-report.ts'

/** Threats reported on this page; each is reported once. */
const reportsByThreat = new Map<string, ThreatReport>()

/** Returns the open reports to update when a password is submitted. */
export const openPasswordReports = (): ThreatReport[] =>
  [...reportsByThreat.values()].filter(({ verdict }) => verdict.threat !== 'MALICIOUS_COPY_PASTE')

/**
 * Callback for an employee who continues despite the warning. Nothing is blocked from then on, but everything is
 * reported.
 */
export interface ThreatChoice {
  readonly onProceed?: () => void
}

/** Reports a threat and applies its mode: report only, warn, or block. */
export function actOnThreat(
  verdict: ThreatVerdict,
  contact: string | null,
  choice: ThreatChoice = {},
): ThreatReport {
  const key = `${verdict.threat} ${verdict.appType}`
  const known = reportsByThreat.get(key)
  if (known) return known
  const threatReport = startThreatReport(verdict)
  reportsByThreat.set(key, threatReport)
  if (verdict.mode === 'MONITOR') return threatReport
  const proceed = () => {
    threatReport.ignored()
    choice.onProceed?.()
  }
  void fetchPart('warn').then((showWarning) =>
    showWarning?.(verdict, { proceed: verdict.mode === 'WARN' ? proceed : null, contact }),
  )
  return threatReport
}
