import type { PageThreatEvent } from '@muster/contract/agent-event'
import type { Response, Severity, SightedApp, Sighting } from './sighting.ts'

const severityOf: Readonly<Record<Response, Severity>> = {
  BLOCKED: 'LOW',
  EMPLOYEE_WARNED: 'MEDIUM',
  MONITORED: 'HIGH',
  EMPLOYEE_IGNORED_WARNING: 'HIGH',
}

/**
 * A page attacked the employee. Three kinds of attack are after the password: what they are about is the site, whichever
 * of them it was known by, and it is critical when the page was given the password. The fourth delivers malware.
 *
 * @param host the host of the page
 */
export function pageThreat(event: PageThreatEvent, app: SightedApp, host: string): Sighting {
  const { response, url, referrerUrl } = event
  const malware = event.threat === 'MALICIOUS_COPY_PASTE'
  const given = !malware && event.passwordEntered && response !== 'BLOCKED'
  return {
    detectionType: malware ? 'MALWARE_DELIVERY' : 'PHISHING',
    severity: given ? 'CRITICAL' : severityOf[response],
    response,
    appId: app.appId,
    appType: app.appType,
    url,
    referrerUrl,
    subject: host,
  }
}
