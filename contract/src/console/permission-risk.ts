/** Risk classes of permissions, most dangerous first. */
export const permissionRisks = ['HIGH', 'MEDIUM', 'LOW'] as const
export type RiskClass = (typeof permissionRisks)[number]

/** Plain description of a permission with its risk. */
export interface PermissionRisk {
  readonly text: string
  readonly risk: RiskClass
}

const high = (text: string): PermissionRisk => ({ risk: 'HIGH', text })
const medium = (text: string): PermissionRisk => ({ risk: 'MEDIUM', text })
const low = (text: string): PermissionRisk => ({ risk: 'LOW', text })

/** Relevant permissions of the web extension platform (developer.chrome.com, "Permissions"). */
const known: Readonly<Record<string, PermissionRisk>> = {
  debugger: high('Fully control pages, like a developer tool'),
  nativeMessaging: high('Communicate with programs on the computer'),
  proxy: high('Send all traffic through another server'),
  cookies: high('Read and change cookies: take over signed-in sessions'),
  webRequest: high('See every request that pages make'),
  webRequestBlocking: high('Change every request that pages make'),
  webRequestAuthProvider: high('Answer when servers ask for a password'),
  management: high('Disable other extensions'),
  privacy: high('Change the privacy settings of the browser'),
  desktopCapture: high('Record the screen'),
  webAuthenticationProxy: high('Answer requests for passkeys and security keys'),
  vpnProvider: high('Send all traffic through its own VPN'),
  certificateProvider: high('Offer certificates to sign in with'),
  audioCapture: high('Record the microphone'),
  videoCapture: high('Record the camera'),
  history: medium('Read which pages were visited'),
  topSites: medium('Read which pages are visited most'),
  tabs: medium('See addresses and titles of all tabs'),
  scripting: medium('Inject scripts into the pages it may access'),
  userScripts: medium('Run scripts that were not checked by a store'),
  clipboardRead: medium('Read what was copied'),
  downloads: medium('Start and see downloads'),
  'downloads.open': medium('Open files that were downloaded'),
  tabCapture: medium('Record what a tab shows'),
  pageCapture: medium('Save whole pages'),
  geolocation: medium('Know where the computer is'),
  bookmarks: medium('Read and change bookmarks'),
  readingList: medium('Read and change the reading list'),
  sessions: medium('See and reopen tabs of other devices'),
  webNavigation: medium('Follow from page to page'),
  declarativeNetRequest: medium('Block and redirect requests by rules'),
  declarativeNetRequestWithHostAccess: medium('Block and redirect requests of the pages it may access'),
  declarativeWebRequest: medium('Block and redirect requests by rules'),
  contentSettings: medium('Change what sites may do'),
  browsingData: medium('Delete history, cookies and passwords'),
  identity: medium('Ask for a sign-in with the account of the browser'),
  'identity.email': medium('Know the e-mail address of the browser'),
  'enterprise.deviceAttributes': medium('Know which managed device it is'),
  fileSystem: medium('Read and write files that are chosen'),
  usb: medium('Communicate with USB devices'),
  serial: medium('Communicate with serial devices'),
  hid: medium('Communicate with input devices'),
  activeTab: low('Access a page when its button is pressed'),
  storage: low('Store its own data'),
  unlimitedStorage: low('Store large amounts of its own data'),
  alarms: low('Do things at set times'),
  background: low('Run while no window is open'),
  notifications: low('Show notifications'),
  contextMenus: low('Add entries to menus'),
  menus: low('Add entries to menus'),
  clipboardWrite: low('Copy to the clipboard'),
  declarativeContent: low('Show its button on certain pages'),
  idle: low('Know when nobody is at the computer'),
  gcm: low('Receive messages from its maker'),
  offscreen: low('Use hidden pages'),
  sidePanel: low('Show a side panel'),
  tabGroups: low('Group tabs'),
  favicon: low('Show the icons of sites'),
  tts: low('Read texts aloud'),
  'system.cpu': low('Know the processor of the computer'),
  'system.memory': low('Know the memory of the computer'),
  'system.display': low('Know the screens of the computer'),
  'system.storage': low('Know the drives of the computer'),
  power: low('Keep the computer awake'),
  fontSettings: low('Change the fonts of the browser'),
}

const everywhere = /^(?:<all_urls>|(?:\*|https?|wss?):\/\/\*(?::[0-9*]+)?\/.*)$/
const wholeDomain = /^(?:\*|https?|wss?):\/\/\*(\.[a-z]{2,24})\/.*$/

/** Usual host patterns that match every page. */
export const everySitePatterns: readonly string[] = [
  '<all_urls>',
  ...['*', 'https', 'http', 'wss', 'ws'].map((scheme) => `${scheme}://*/*`),
]

/** True if a host pattern, which may also be among the permissions, matches every page. */
export const reachesEveryPage = (permission: string): boolean => everywhere.test(permission)

/** True if a permission is a host pattern. */
export const isHostPattern = (permission: string): boolean =>
  permission === '<all_urls>' || /^(?:\*|https?|wss?|ftp|file):\/\//.test(permission)

/** Describes a permission or host pattern. Unknown permissions are returned unchanged. */
export function permissionRisk(permission: string): PermissionRisk {
  if (everywhere.test(permission)) return high('Read and change every page')
  const domain = wholeDomain.exec(permission)?.[1]
  if (domain !== undefined) return high(`Read and change every page whose address ends in ${domain}`)
  if (permission.startsWith('file://')) return high('Read files on the computer')
  if (Object.hasOwn(known, permission)) return known[permission] ?? low(permission)
  if (!permission.includes('://')) return low(permission)
  return low(`Read and change pages of ${permission.replace(/^[^/]*\/\//, '').replace(/\/.*$/, '')}`)
}

/** Returns the highest risk among the permissions of an extension. */
export function riskOf(extension: {
  readonly permissions: readonly string[]
  readonly hostPermissions: readonly string[]
}): RiskClass {
  const risks = new Set(
    [...extension.permissions, ...extension.hostPermissions].map((one) => permissionRisk(one).risk),
  )
  return permissionRisks.find((risk) => risks.has(risk)) ?? 'LOW'
}

/** Describes the most dangerous permission; empty if none is a risk. */
export function worstCapability(permissions: readonly string[]): string {
  const risks = permissions.map(permissionRisk)
  const worst = risks.find(({ risk }) => risk === 'HIGH') ?? risks.find(({ risk }) => risk === 'MEDIUM')
  return worst?.text ?? ''
}
