import type { ExtensionRisk } from '@muster/contract/agent-event'
import { noApp, type Severity, type Sighting } from './sighting.ts'

function severityOf(risk: ExtensionRisk, enabled: boolean): Severity {
  if (risk === 'HIGH') return enabled ? 'HIGH' : 'MEDIUM'
  return risk === 'MEDIUM' && enabled ? 'MEDIUM' : 'LOW'
}

/** An extension of the organization's bad list is in the browser; one that is disabled counts as blocked. */
export const maliciousExtension = (extensionId: string, risk: ExtensionRisk, enabled: boolean): Sighting => ({
  detectionType: 'MALICIOUS_BROWSER_EXTENSION',
  severity: severityOf(risk, enabled),
  response: enabled ? 'MONITORED' : 'BLOCKED',
  ...noApp,
  url: null,
  referrerUrl: null,
  subject: extensionId,
})
