import { createHash } from 'node:crypto'

/** An extension that people of a made-up workforce have: invented, like its maker. */
export interface SampleExtension {
  readonly extensionId: string
  readonly name: string
  readonly description: string
  readonly permissions: readonly string[]
  readonly hostPermissions: readonly string[]
  readonly homePageUrl: string | null
  /** From 0 to 1: the share of browsers that have it. */
  readonly reach: number
}

/** Chrome names extensions by the first half of a hash, in letters from a to p. */
const extensionIdOf = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, 32)
    .replace(/[0-9a-f]/g, (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)] ?? 'a')

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const permissionSets: Readonly<Record<string, readonly string[]>> = {
  none: [],
  little: ['storage'],
  page: ['activeTab', 'storage'],
  menu: ['activeTab', 'contextMenus', 'storage'],
  script: ['activeTab', 'scripting', 'storage'],
  tabs: ['tabs', 'storage', 'alarms'],
  session: ['tabs', 'sessions', 'storage', 'unlimitedStorage'],
  block: ['declarativeNetRequest', 'storage', 'tabs', 'unlimitedStorage', 'webRequest', 'webNavigation'],
  oldblock: ['webRequest', 'webRequestBlocking', 'storage', 'tabs', 'contextMenus', 'privacy'],
  secrets: [
    'alarms',
    'contextMenus',
    'idle',
    'nativeMessaging',
    'notifications',
    'scripting',
    'storage',
    'tabs',
    'webRequest',
  ],
  capture: ['activeTab', 'desktopCapture', 'downloads', 'scripting', 'storage', 'tabCapture'],
  down: ['downloads', 'contextMenus', 'storage'],
  sell: ['cookies', 'storage', 'tabs', 'webRequest', 'scripting', 'history'],
  identity: ['identity', 'identity.email', 'storage', 'notifications'],
  dev: ['debugger', 'storage', 'tabs', 'scripting', 'webNavigation'],
  proxy: ['proxy', 'storage', 'webRequest', 'webRequestAuthProvider', 'management'],
  marks: ['bookmarks', 'favicon', 'storage'],
  clip: ['clipboardRead', 'clipboardWrite', 'storage', 'offscreen'],
}

const all = ['<all_urls>']
const web = ['http://*/*', 'https://*/*']
const sites = (...domains: string[]): string[] => domains.map((domain) => `https://*.${domain}/*`)

function make(
  name: string,
  reach: number,
  set: string,
  hosts: readonly string[],
  description: string,
  home = true,
): SampleExtension {
  const homePageUrl = home ? `https://${slug(name)}.example/` : null
  return {
    extensionId: extensionIdOf(name),
    name,
    reach,
    permissions: permissionSets[set] ?? [],
    hostPermissions: hosts,
    description,
    homePageUrl,
  }
}

/** A few that many have, and many that a few have; some ask for far more than they need. */
export const sampleExtensions: readonly SampleExtension[] = [
  make('Adwall', 0.42, 'block', all, 'Blocks advertisements and trackers.'),
  make('Adwall Classic', 0.06, 'oldblock', all, 'Blocks advertisements, the way it used to.'),
  make('Keyring Vault', 0.44, 'secrets', web, 'Fills in passwords from your vault.'),
  make('Passbox', 0.08, 'secrets', all, 'Remembers passwords for you.'),
  make(
    'Quillmark Writing Assistant',
    0.2,
    'script',
    all,
    'Corrects spelling, grammar and tone as you write.',
  ),
  make(
    'Meetlink for Calendars',
    0.26,
    'identity',
    sites('google.com', 'office.com'),
    'Adds meeting rooms to your invitations.',
  ),
  make('Tabshelf', 0.09, 'session', [], 'Puts tabs aside and brings them back.'),
  make('Snapframe Screenshots', 0.14, 'capture', all, 'Captures the page, all of it or a part.'),
  make('Recorderly', 0.07, 'capture', web, 'Records your screen and your voice.'),
  make('Lingua Hover', 0.1, 'menu', all, 'Translates the word under the pointer.'),
  make('Darkroom Theme', 0.08, 'script', all, 'A dark look for every site.'),
  make('Coupon Magpie', 0.07, 'sell', web, 'Finds discount codes while you shop.'),
  make(
    'Price Owl',
    0.04,
    'sell',
    sites('shop-one.example', 'shop-two.example'),
    'Watches prices and tells when they fall.',
  ),
  make('Sales Radar', 0.06, 'sell', sites('linkedin.com', 'salesforce.com'), 'Shows who a contact is.'),
  make('Mailtrace', 0.05, 'script', sites('mail.google.com'), 'Tells whether your mail was read.'),
  make(
    'Inbox Later',
    0.05,
    'script',
    sites('mail.google.com', 'outlook.office.com'),
    'Sends mail when you say.',
  ),
  make('JSON Lantern', 0.12, 'page', all, 'Shows JSON so that people can read it.'),
  make('Component Inspector', 0.1, 'dev', all, 'Inspects the components of a page.'),
  make('Headers Bench', 0.04, 'oldblock', all, 'Changes the headers of requests.'),
  make('Cookie Drawer', 0.03, 'sell', all, 'Shows and edits cookies.'),
  make('REST Pad', 0.03, 'little', all, 'Sends requests to APIs.'),
  make('Octo Tree', 0.06, 'page', sites('github.com'), 'A file tree for code hosting.'),
  make('Review Buddy', 0.03, 'page', sites('github.com', 'gitlab.com'), 'Marks files that were reviewed.'),
  make('Color Dropper', 0.05, 'menu', [], 'Picks a color from the page.'),
  make('Ruler and Grid', 0.02, 'script', all, 'Measures what is on the page.'),
  make('Font Finder', 0.03, 'page', [], 'Names the font under the pointer.'),
  make('Accessibility Lens', 0.03, 'dev', all, 'Finds what keeps people from using a page.'),
  make('Lighthouse Keeper', 0.02, 'dev', all, 'Measures how fast a page is.'),
  make('Notestack Clipper', 0.09, 'menu', all, 'Saves pages to your notes.'),
  make('Read It Tonight', 0.04, 'menu', all, 'Saves articles for later.'),
  make('Citation Mill', 0.01, 'page', all, 'Makes references in any style.'),
  make('PDF Toolbox', 0.11, 'down', ['file:///*', ...web], 'Reads, signs and joins PDF files.'),
  make('PDF to Everything', 0.02, 'sell', all, 'Converts PDF files to anything.', false),
  make('Save All Images', 0.02, 'down', all, 'Downloads every picture of a page.'),
  make('Video Fetch', 0.03, 'down', all, 'Downloads videos.', false),
  make('Picture Search', 0.03, 'menu', all, 'Finds where else a picture is.'),
  make('New Tab Garden', 0.05, 'little', [], 'A calm picture in every new tab.'),
  make('New Tab Weather', 0.02, 'sell', web, 'The weather in every new tab.', false),
  make('Focus Hour', 0.04, 'tabs', all, 'Keeps distracting sites away while you work.'),
  make('Pomodoro Cat', 0.02, 'tabs', [], 'A timer that purrs.'),
  make('Dual Panes', 0.02, 'tabs', [], 'Two pages side by side.'),
  make('Tab Trimmer', 0.05, 'tabs', [], 'Puts tabs to sleep that are not used.'),
  make('Bookmark Broom', 0.02, 'marks', [], 'Finds dead and double bookmarks.'),
  make('Reading List Sync', 0.02, 'marks', web, 'The same list on all machines.'),
  make('Clipboard History', 0.03, 'clip', [], 'Keeps the last things you copied.'),
  make('Snippet Typist', 0.04, 'clip', all, 'Types long texts from short words.'),
  make('Emoji Tray', 0.05, 'clip', [], 'All emoji, one click away.'),
  make('Gif Basket', 0.02, 'clip', web, 'Moving pictures for chats.'),
  make('Mouse Gestures Plus', 0.02, 'tabs', all, 'Draw to go back.'),
  make('Vi for the Web', 0.03, 'session', all, 'Walks pages by the keyboard.'),
  make('Scroll Anywhere', 0.01, 'little', all, 'Drags pages about.'),
  make('Speak Aloud', 0.03, 'script', all, 'Reads pages to you.'),
  make('Video Speed', 0.05, 'little', all, 'Plays videos faster or slower.'),
  make('Subtitle Twins', 0.02, 'script', sites('video-one.example'), 'Two languages of subtitles.'),
  make('Sound Booster', 0.03, 'capture', all, 'Makes quiet tabs loud.', false),
  make('Picture in Corner', 0.03, 'page', [], 'Keeps a video in the corner.'),
  make(
    'Meeting Minutes AI',
    0.06,
    'capture',
    sites('zoom.us', 'meet.google.com'),
    'Writes minutes of what was said.',
  ),
  make('Prompt Pal', 0.05, 'script', sites('chatgpt.com', 'claude.ai'), 'Keeps your best prompts.'),
  make('Sidebar Genius', 0.06, 'sell', all, 'A language model beside every page.'),
  make('Summary Sprite', 0.04, 'script', all, 'Says in three sentences what a page says in thirty.'),
  make('Answer Anything', 0.02, 'sell', all, 'Answers that you did not ask for.', false),
  make('Free Private VPN', 0.04, 'proxy', all, 'Browse from another country.', false),
  make('Proxy Switch', 0.03, 'proxy', all, 'Changes proxies by rules.'),
  make('Secure Shield Search', 0.02, 'sell', web, 'A safer search, it says.', false),
  make('Search by Squirrel', 0.01, 'sell', all, 'Another search in your address bar.', false),
  make('User Agent Wardrobe', 0.02, 'oldblock', all, 'Says that you are another browser.'),
  make('Script Monkey', 0.03, 'dev', all, 'Runs scripts of your own on pages.'),
  make('Style Stitch', 0.02, 'script', all, 'Styles of your own for pages.'),
  make('Canteen Menu', 0.06, 'little', ['https://canteen-orders.example/*'], 'What there is for lunch.'),
  make(
    'Northgate Single Sign-on Helper',
    0.55,
    'identity',
    ['https://*.northgate.example/*'],
    'Signs you in to the intranet.',
  ),
  make(
    'Northgate Device Trust',
    0.6,
    'secrets',
    ['https://*.northgate.example/*', 'https://*.okta.com/*'],
    'Proves that this device is ours.',
  ),
  make(
    'Northgate Intranet Search',
    0.2,
    'little',
    ['https://intranet.northgate.example/*'],
    'Searches the intranet from the address bar.',
  ),
  make(
    'Hiring Scout',
    0.03,
    'sell',
    sites('linkedin.com', 'greenhouse.io'),
    'Takes profiles to the applicant list.',
  ),
  make('Expense Snap', 0.05, 'capture', sites('expensify.com'), 'Takes receipts from pages.'),
  make('Invoice Reader', 0.02, 'script', sites('intuit.com', 'xero.com'), 'Fills in invoices.'),
  make('Ticket Turbo', 0.04, 'script', sites('zendesk.com'), 'Keyboard shortcuts for tickets.'),
  make('Ad Library Peek', 0.02, 'page', sites('facebook.com'), 'What others advertise.'),
  make(
    'Social Scheduler',
    0.03,
    'identity',
    sites('x.com', 'facebook.com', 'linkedin.com'),
    'Posts when people read.',
  ),
  make('Übersetzer Schnell', 0.02, 'menu', all, 'Übersetzt markierten Text in einem Klick.'),
  make('単語ノート', 0.01, 'little', all, '調べた単語をノートに保存します。'),
  make('Corrector Rápido', 0.02, 'script', all, 'Corrige la ortografía mientras escribes.'),
]
