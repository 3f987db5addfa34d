import { readFileSync } from 'node:fs'
import type { BrowserExtension } from '@muster/contract/records/browser-extension'
import { seededRandom } from '../../server/src/kernel/lib/secrets/seeded-random.ts'

/** Members of an extension that are the same in every browser. */
export type FoundExtension = Pick<
  BrowserExtension,
  | 'extensionId'
  | 'name'
  | 'description'
  | 'version'
  | 'versionName'
  | 'permissions'
  | 'hostPermissions'
  | 'updateUrl'
  | 'homePageUrl'
>

/** Reads extensions from a JSON Lines file. */
export const readSample = (path: string): FoundExtension[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FoundExtension)

const nouns = [
  'Tab',
  'Note',
  'Page',
  'Mail',
  'Price',
  'Video',
  'Link',
  'Screen',
  'Color',
  'Cookie',
  'Word',
  'Task',
]
const agents = [
  'Keeper',
  'Helper',
  'Blocker',
  'Finder',
  'Manager',
  'Reader',
  'Picker',
  'Checker',
  'Saver',
  'Watcher',
]
const permissions = [
  'storage',
  'tabs',
  'activeTab',
  'contextMenus',
  'cookies',
  'webRequest',
  'webRequestBlocking',
  'notifications',
  'scripting',
  'unlimitedStorage',
  'alarms',
  'history',
  'bookmarks',
  'downloads',
  'management',
  'identity',
  'clipboardWrite',
  'nativeMessaging',
]
const everywhere = ['<all_urls>', 'http://*/*', 'https://*/*', '*://*/*']
const letters = 'abcdefghijklmnop'

/** Invents extensions, always the same ones. A few request all permissions, most only some. */
export function inventExtensions(count: number): FoundExtension[] {
  const random = seededRandom(count)
  return Array.from({ length: count }, (_, number) => {
    const name = `${random.pick(nouns)} ${random.pick(agents)} ${number}`
    const host = name.toLowerCase().replaceAll(' ', '-')
    return {
      extensionId: Array.from({ length: 32 }, () => letters[random.below(16)]).join(''),
      name,
      description:
        `${name} does one thing well, and ${random.pick(agents).toLowerCase()} things besides.`.repeat(
          1 + random.below(2),
        ),
      version: `${random.below(9)}.${random.below(30)}.${random.below(99)}`,
      versionName: random.chance(0.1) ? 'beta' : null,
      permissions: random.sample(permissions, random.below(11)),
      hostPermissions: [
        ...random.sample(everywhere, random.chance(0.4) ? 2 : 0),
        ...Array.from({ length: random.below(5) }, (_, at) => `https://${at}.${host}.example/*`),
      ],
      updateUrl: 'https://clients2.google.com/service/update2/crx',
      homePageUrl: random.chance(0.5) ? `https://${host}.example/` : null,
    }
  })
}
