/** What a permission lets an extension do, in plain words. */
export interface PermissionRisk {
  readonly text: string
  readonly risk: 'HIGH' | 'MEDIUM' | 'LOW'
}

/** Permissions of the web extension platform that matter to people (developer.chrome.com, "Declare permissions"). */
const known: Readonly<Record<string, PermissionRisk>> = {
  debugger: { risk: 'HIGH', text: 'Control pages fully, as a developer tool does' },
  nativeMessaging: { risk: 'HIGH', text: 'Talk to programs on the computer' },
  proxy: { risk: 'HIGH', text: 'Send all traffic through another server' },
  cookies: { risk: 'HIGH', text: 'Read and change cookies: take over signed-in sessions' },
  webRequest: { risk: 'HIGH', text: 'See every request that pages make' },
  webRequestBlocking: { risk: 'HIGH', text: 'Change every request that pages make' },
  management: { risk: 'HIGH', text: 'Switch other extensions off' },
  privacy: { risk: 'HIGH', text: 'Change the privacy settings of the browser' },
  desktopCapture: { risk: 'HIGH', text: 'Record the screen' },
  history: { risk: 'MEDIUM', text: 'Read which pages were visited' },
  tabs: { risk: 'MEDIUM', text: 'See addresses and titles of all tabs' },
  scripting: { risk: 'MEDIUM', text: 'Put scripts into the pages it may access' },
  userScripts: { risk: 'MEDIUM', text: 'Run scripts that were not checked by a store' },
  clipboardRead: { risk: 'MEDIUM', text: 'Read what was copied' },
  downloads: { risk: 'MEDIUM', text: 'Start and see downloads' },
  tabCapture: { risk: 'MEDIUM', text: 'Record what a tab shows' },
  geolocation: { risk: 'MEDIUM', text: 'Know where the computer is' },
  bookmarks: { risk: 'MEDIUM', text: 'Read and change bookmarks' },
  webNavigation: { risk: 'MEDIUM', text: 'Follow from page to page' },
  declarativeNetRequest: { risk: 'MEDIUM', text: 'Block and redirect requests by rules' },
  contentSettings: { risk: 'MEDIUM', text: 'Change what sites may do' },
  identity: { risk: 'MEDIUM', text: 'Ask for a sign-in with the account of the browser' },
  activeTab: { risk: 'LOW', text: 'Access a page when its button is pressed' },
  storage: { risk: 'LOW', text: 'Keep data of its own' },
  alarms: { risk: 'LOW', text: 'Do things at set times' },
  notifications: { risk: 'LOW', text: 'Show notifications' },
  contextMenus: { risk: 'LOW', text: 'Add entries to menus' },
  clipboardWrite: { risk: 'LOW', text: 'Copy to the clipboard' },
}

const everywhere = /^(?:<all_urls>|(?:\*|https?|ws|wss):\/\/\*\/.*)$/

/** What a permission, or a pattern of hosts, lets an extension do. */
export function permissionRisk(permission: string): PermissionRisk {
  if (everywhere.test(permission)) return { risk: 'HIGH', text: 'Read and change every page' }
  const found = known[permission]
  if (found) return found
  if (permission.includes('://'))
    return {
      risk: 'LOW',
      text: `Read and change pages of ${permission.replace(/^[^/]*\/\//, '').replace(/\/.*$/, '')}`,
    }
  return { risk: 'LOW', text: permission }
}

const order = ['HIGH', 'MEDIUM', 'LOW'] as const

/** The highest risk among what an extension may do. */
export function riskOf(extension: {
  readonly permissions: readonly string[]
  readonly hostPermissions: readonly string[]
}): PermissionRisk['risk'] {
  const risks = new Set(
    [...extension.permissions, ...extension.hostPermissions].map((one) => permissionRisk(one).risk),
  )
  return order.find((risk) => risks.has(risk)) ?? 'LOW'
}
