import type { EnrollmentRequest } from '@muster/contract/agent-enrollment'
import type { BrowserFacts } from '@muster/contract/agent-event'
import type { Browser } from '@muster/contract/browser'
import type { Employee } from '@muster/contract/employee'
import { ApiError, invalidRequest, notFound } from '@muster/contract/errors'
import { canonicalText, isEmailAddress, textFormats } from '@muster/contract/text-format'

/** Whether the browsers of an employee report nothing: one without license, or merged away (domain contract, section 1). */
export const isDormant = (employee: Employee | undefined): boolean =>
  employee === undefined || !employee.licensed || employee.mergedIntoId !== null

/** What is known of an enrollment link; all times in UNIX seconds. */
export interface LinkState {
  readonly expirationTimestamp: number
  readonly usedTimestamp: number | null
  /** When a newer link took its place. */
  readonly revokedTimestamp: number | null
}

/** Why a link does not work, or that it does. */
export type LinkStanding = 'usable' | 'unknown' | 'used' | 'replaced' | 'expired'

/** How a link stands; undefined is one that there is not. */
export function linkStanding(link: LinkState | undefined, nowSeconds: number): LinkStanding {
  if (!link) return 'unknown'
  if (link.usedTimestamp !== null) return 'used'
  if (link.revokedTimestamp !== null) return 'replaced'
  return link.expirationTimestamp <= nowSeconds ? 'expired' : 'usable'
}

const askForAnother = 'Ask whoever sent it for a new one.'

/** What is told to whoever comes with a link that does not work, in words for people. */
export const linkTexts: Readonly<Record<Exclude<LinkStanding, 'usable'>, string>> = {
  unknown: `This enrollment link is not known here. ${askForAnother}`,
  used: `This enrollment link has been used: each enrolls one browser. ${askForAnother}`,
  replaced: `A newer enrollment link took the place of this one. Use that, or ask for another.`,
  expired: `This enrollment link has expired. ${askForAnother}`,
}

/** The refusal of a link that does not work; undefined for one that does. */
export function linkRefusal(standing: LinkStanding): ApiError | undefined {
  if (standing === 'usable') return undefined
  if (standing === 'unknown') return notFound(linkTexts.unknown.replace(/\.$/, ''))
  return new ApiError('conflict', linkTexts[standing])
}

/**
 * The address by which a managed browser's employee is found: what device management says, else the browser profile's.
 *
 * @throws ApiError invalid_request when neither is an address
 */
export function managedAddress({ identity, browser }: EnrollmentRequest): string {
  const address = canonicalText(textFormats.lookup, identity ?? browser.profileEmail ?? '')
  if (isEmailAddress(address)) return address
  const told = identity != null ? 'identity' : 'browser.profileEmail'
  const message =
    address === ''
      ? 'must tell whose browser this is: the profile has no address, so set identity in the managed policy'
      : 'must be an e-mail address'
  throw invalidRequest([{ in: 'body', name: address === '' ? 'identity' : told, message }])
}

/** The address of a browser profile, in NFC; null for a text that is no e-mail address. */
export function profileAddress({ profileEmail }: Pick<BrowserFacts, 'profileEmail'>): string | null {
  const address = canonicalText(textFormats.lookup, profileEmail ?? '')
  return isEmailAddress(address) ? address : null
}

/** The record of an employee who is first seen by managed enrollment: licensed, nothing else known. */
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

/** The record of a browser that was just enrolled. */
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
