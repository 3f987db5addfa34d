import type { ExtensionRisk } from '@muster/contract/agent/agent-event'
import { type DetectionSignal, detectionSource, noApp, type Severity } from './detection-source.ts'

function severityOf(risk: ExtensionRisk, enabled: boolean): Severity {
  if (risk === 'HIGH') return enabled ? 'HIGH' : 'MEDIUM'
  return risk === 'MEDIUM' && enabled ? 'MEDIUM' : 'LOW'
}

/** Returns the signal of a listed extension; a disabled one counts as blocked. */
export const maliciousExtensionSignal = (
  extensionId: string,
  risk: ExtensionRisk,
  enabled: boolean,
): DetectionSignal => ({
  detectionType: 'MALICIOUS_BROWSER_EXTENSION',
  severity: severityOf(risk, enabled),
  response: enabled ? 'MONITORED' : 'BLOCKED',
  appId: noApp.appId,
  appType: noApp.appType,
  url: null,
  referrerUrl: null,
  subject: extensionId,
})

/** The browser has an extension that the organization lists as malicious, or the agent reports one. */
export const maliciousExtension = detectionSource({
  kinds: ['EXTENSION_THREAT', 'EXTENSIONS'],
  signalsIn: (event, { riskOf }) => {
    if (event.kind === 'EXTENSION_THREAT') {
      const risk = riskOf(event.extensionId) ?? event.risk
      return [maliciousExtensionSignal(event.extensionId, risk, !event.disabled)]
    }
    return event.extensions.flatMap(({ extensionId, enabled }) => {
      const risk = riskOf(extensionId)
      return risk === undefined ? [] : [maliciousExtensionSignal(extensionId, risk, enabled)]
    })
  },
})
