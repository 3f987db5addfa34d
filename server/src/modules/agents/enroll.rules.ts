import type { EnrollmentRequest } from '@muster/contract/agent/agent-enrollment'
import type { BrowserFacts } from '@muster/contract/agent/agent-event'
import { ApiError, invalidRequest, notFound } from '@muster/contract/api/errors'
import type { Browser } from '@muster/contract/records/browser'
import type { Employee } from '@muster/contract/records/employee'
import { canonicalText, isEmailAddress, textFormats } from '@muster/contract/text/text-format'

/**
 * Returns true if the browsers of an employee must not report: without a license, or merged into another
 * employee (domain contract, section 1).
 */
export const isDormant = (employee: Employee | undefined): boolean =>
  employee === undefined || !employee.licensed || employee.mergedIntoId !== null

/** State of an enrollment link; times in UNIX seconds. */
export interface LinkState {
  readonly expirationTimestamp: number
  readonly usedTimestamp: number | null
  /** Time at which a newer link replaced it. */
  readonly revokedTimestamp: number | null
}

export type LinkStatus = 'usable' | 'unknown' | 'used' | 'replaced' | 'expired'

/** Returns the status of a link; `link` is undefined if it does not exist. */
export function linkStatus(link: LinkState | undefined, nowSeconds: number): LinkStatus {
  if (!link) return 'unknown'
  if (link.usedTimestamp !== null) return 'used'
  if (link.revokedTimestamp !== null) return 'replaced'
  return link.expirationTimestamp <= nowSeconds ? 'expired' : 'usable'
}

const askForNewLink = 'Ask the person who sent it for a new one.'

/** Messages for employees whose link does not work. */
export const linkMessages: Readonly<Record<Exclude<LinkStatus, 'usable'>, string>> = {
  unknown: `This enrollment link is invalid. ${askForNewLink}`,
  used: `This enrollment link has already been used. Each link enrolls one browser. ${askForNewLink}`,
  replaced: `This enrollment link was replaced by a newer one. Use the newer link, or ask for another one.`,
  expired: `This enrollment link has expired. ${askForNewLink}`,
}

/** Returns the error for a link that does not work; undefined if it works. */
export function linkError(status: LinkStatus): ApiError | undefined {
  if (status === 'usable') return undefined
  if (status === 'unknown') return notFound(linkMessages.unknown.replace(/\.$/, ''))
  return new ApiError('conflict', linkMessages[status])
}

/**
 * Returns the address of the employee of a managed browser: from device management, else from the browser
 * profile.
 *
 * @throws ApiError invalid_request if neither is an email address
 */
export function managedAddress({ identity, browser }: EnrollmentRequest): string {
  const address = canonicalText(textFormats.lookup, identity ?? browser.profileEmail ?? '')
  if (isEmailAddress(address)) return address
  const source = identity != null ? 'identity' : 'browser.profileEmail'
  const message =
    address === ''
      ? 'is required because the browser profile has no address; set identity in the managed policy'
      : 'must be an e-mail address'
  throw invalidRequest([{ in: 'body', name: address === '' ? 'identity' : source, message }])
}

/** Returns the address of a browser profile in NFC; null if it is not an email address. */
export function profileAddress({ profileEmail }: Pick<BrowserFacts, 'profileEmail'>): string | null {
  const address = canonicalText(textFormats.lookup, profileEmail ?? '')
  return isEmailAddress(address) ? address : null
}

/** Returns the record of an employee who is added by managed enrollment, with a license. */
export const managedEmployee = (id: string, email: string, nowSeconds: number): Employee => ({
  id,
  email,
  firstName: null,
  lastName: null,
  department: null,
  location: null,
  licensed: true,
  chatopsEnabled: false,
  groups: [],
  secondaryEmails: [],
  mergedIntoId: null,
  creationTimestamp: nowSeconds,
})

/** Returns the record of a newly enrolled browser. */
export const enrolledBrowser = (
  id: string,
  employee: Employee,
  tokenType: Browser['tokenType'],
  facts: BrowserFacts,
  nowSeconds: number,
): Browser => ({
  id,
  employeeId: employee.id,
  email: employee.email,
  version: facts.version,
  tokenType,
  isActive: true,
  browser: facts.browser,
  os: facts.os,
  extensionVersion: facts.extensionVersion,
  language: facts.language,
  profileEmail: profileAddress(facts),
  profileSyncEnabled: facts.profileSyncEnabled,
  creationTimestamp: nowSeconds,
  lastOnlineTimestamp: nowSeconds,
})
