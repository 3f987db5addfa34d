import type { Static } from 'typebox'
import { bannerModes, protectionModes } from '../agent/agent-event.ts'
import { closed, nullable, oneOf, text } from '../api/fields.ts'
import { DetectionEmployee } from '../records/detection.ts'
import { seenEvent } from './event-envelope.ts'
import { browserFields, optionalAppType, optionalReferrerUrl, optionalUrl } from './event-fields.ts'

/** Events of controls: something in a browser matched a rule of the organization (events contract, section 3). */

/** The employee in these events: the same members as in a detection. */
const employee = DetectionEmployee

const place = { employee, url: optionalUrl, referrerUrl: optionalReferrerUrl, ...browserFields }
const mode = oneOf(protectionModes, 'Mode of the control.', 'WARN')
const extensionId = text('Static identifier of the extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1)

const BlockedUrlVisited = closed(place, { description: 'A visit of a blocked address.' })
const PageControlled = closed(
  { ...place, appType: optionalAppType, mode },
  { description: 'A page that met a control.' },
)
const StolenCredentialsUsed = closed(
  { ...place, appType: optionalAppType },
  { description: 'A login with a password that is known to be stolen.' },
)
const ExtensionControlled = closed(
  { ...place, extensionId, mode },
  { description: 'A malicious extension in a browser.' },
)

const bannerActions = ['DISPLAYED', 'ACKNOWLEDGED'] as const

const AppBannerSeen = closed(
  {
    ...place,
    appType: optionalAppType,
    appBanner: closed(
      {
        title: text('The title.', 'This app is not approved', 200, 1),
        subtext: text('The text below it.', 'Use the approved one instead.', 1000),
        mode: oneOf(bannerModes, 'Type of the banner.', 'ACKNOWLEDGE'),
        buttonText: nullable(text('Label of the button; null for the default.', 'I understand', 60, 1)),
      },
      { description: 'The banner.' },
    ),
    action: oneOf(bannerActions, 'Action of the employee.', 'DISPLAYED'),
    reason: nullable(
      text('The reason that the employee typed; null if not asked.', 'Needed for a customer.', 1000),
    ),
  },
  { description: 'A banner on an app.' },
)
export type AppBannerSeen = Static<typeof AppBannerSeen>

const control = { category: 'CONTROL' } as const

export const controlEvents = {
  BLOCKED_URL_VISITED: seenEvent({
    ...control,
    object: 'BLOCKED_URL_VISITED',
    friendlyName: 'Blocked URL visited',
    description: 'An employee was kept from opening a blocked address.',
    record: BlockedUrlVisited,
  }),
  CLONED_LOGIN_PAGE_DETECTED: seenEvent({
    ...control,
    object: 'CLONED_LOGIN_PAGE_DETECTED',
    friendlyName: 'Cloned login page detected',
    description: 'An employee met a page that imitates a login page.',
    record: PageControlled,
  }),
  PHISHING_TOOL_DETECTED: seenEvent({
    ...control,
    object: 'PHISHING_TOOL_DETECTED',
    friendlyName: 'Phishing tool detected',
    description: 'An employee met a page that carries the marks of a phishing tool.',
    record: PageControlled,
  }),
  PROTECTED_PASSWORD_ENTERED: seenEvent({
    ...control,
    object: 'PROTECTED_PASSWORD_ENTERED',
    friendlyName: 'Protected password entered',
    description: 'An employee entered the password of a protected app on another site.',
    record: PageControlled,
  }),
  STOLEN_CREDENTIALS_DETECTED: seenEvent({
    ...control,
    object: 'STOLEN_CREDENTIALS_DETECTED',
    friendlyName: 'Stolen credentials detected',
    description: 'An employee logged in with a password that is known to be stolen.',
    record: StolenCredentialsUsed,
  }),
  MALICIOUS_COPY_PASTE_DETECTED: seenEvent({
    ...control,
    object: 'MALICIOUS_COPY_PASTE_DETECTED',
    friendlyName: 'Malicious copy and paste detected',
    description: 'An employee met a page that puts commands on the clipboard.',
    record: PageControlled,
  }),
  MALICIOUS_BROWSER_EXTENSION_DETECTED: seenEvent({
    ...control,
    object: 'MALICIOUS_BROWSER_EXTENSION_DETECTED',
    friendlyName: 'Malicious browser extension detected',
    description: 'A malicious extension was found in the browser of an employee.',
    record: ExtensionControlled,
  }),
  APP_BANNER: seenEvent({
    ...control,
    object: 'APP_BANNER',
    friendlyName: 'App banner',
    description: 'An employee saw a banner on an app, or acknowledged it.',
    record: AppBannerSeen,
  }),
} as const
