import type { PageThreatEvent } from '@muster/contract/agent/agent-event'
import { hostOfUrl } from '../../ingest/page-address.rules.ts'
import {
  type DetectionSignal,
  detectionSource,
  type Response,
  type Severity,
  type SignalApp,
} from './detection-source.ts'

const severityOf: Readonly<Record<Response, Severity>> = {
  BLOCKED: 'LOW',
  EMPLOYEE_WARNED: 'MEDIUM',
  MONITORED: 'HIGH',
  EMPLOYEE_IGNORED_WARNING: 'HIGH',
}

/**
 * Returns the signal of a page that attacked the employee. One kind of threat delivers malware; the others are after the
 * password, and critical if the employee entered it. The subject is the site, whichever control recognized it.
 *
 * @param host host of the page
 */
export function pageThreatSignal(event: PageThreatEvent, app: SignalApp, host: string): DetectionSignal {
  const { response, url, referrerUrl } = event
  const isMalware = event.threat === 'MALICIOUS_COPY_PASTE'
  const isPasswordLost = !isMalware && event.passwordEntered && response !== 'BLOCKED'
  return {
    detectionType: isMalware ? 'MALWARE_DELIVERY' : 'PHISHING',
    severity: isPasswordLost ? 'CRITICAL' : severityOf[response],
    response,
    appId: app.appId,
    appType: app.appType,
    url,
    referrerUrl,
    subject: host,
  }
}

/** A page attacked the employee. */
export const pageThreat = detectionSource({
  kinds: ['PAGE_THREAT'],
  signalsIn: (event, { appIdOf }) => {
    // Imitated app of the catalog, which the organization need not have.
    const app = { appType: event.appType, appId: appIdOf(event.appType) }
    return [pageThreatSignal(event, app, hostOfUrl(event.url) ?? event.url)]
  },
})
