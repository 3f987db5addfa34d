import type { App } from '@muster/contract/app'
import type { BlockedUrl } from '@muster/contract/blocked-url'
import type { Browser } from '@muster/contract/browser'
import type { Detection } from '@muster/contract/detection'
import type { Employee } from '@muster/contract/employee'
import { byCreation, type DemoWorld, daySeconds } from './demo-world.ts'

const blockedPatterns = [
  '*.free-share-box.example',
  'crypto-doubler.example',
  '*.login-verify-account.example',
  'torrent-harbour.example',
  'https://pastes.example/raw/*',
  '*.casino-night.example',
  'download-codec-now.example/setup*',
  '*.bad-ads.example',
  'sso-northgate.example',
  'northgate-intranet.example',
  '*.parcel-fee.example',
  'invoice-overdue.example/view*',
]

/** Patterns that browsers must not open. */
export const demoBlockedUrls = (world: DemoWorld): BlockedUrl[] =>
  byCreation(
    blockedPatterns.map((url) => {
      const creationTimestamp = world.nowSeconds - (100 + world.random.below(200)) * daySeconds
      return { id: world.idAt(creationTimestamp), url, creationTimestamp }
    }),
  )

type Kind = Pick<Detection, 'detectionType' | 'severity' | 'response'>

const kind = (
  detectionType: Detection['detectionType'],
  response: Detection['response'],
  severity: Detection['severity'],
): Kind => ({
  detectionType,
  response,
  severity,
})

/** What happens, as often as it stands here; severity goes with type and response. */
const kinds: readonly Kind[] = [
  ...Array<Kind>(8).fill(kind('BLOCKED_URL', 'BLOCKED', 'LOW')),
  ...Array<Kind>(3).fill(kind('PHISHING', 'BLOCKED', 'LOW')),
  ...Array<Kind>(3).fill(kind('PHISHING', 'EMPLOYEE_WARNED', 'MEDIUM')),
  kind('PHISHING', 'EMPLOYEE_IGNORED_WARNING', 'HIGH'),
  kind('PHISHING', 'MONITORED', 'HIGH'),
  kind('PHISHING', 'MONITORED', 'CRITICAL'),
  kind('MALWARE_DELIVERY', 'BLOCKED', 'LOW'),
  kind('MALWARE_DELIVERY', 'EMPLOYEE_WARNED', 'MEDIUM'),
  kind('STOLEN_CREDENTIALS', 'MONITORED', 'HIGH'),
  kind('STOLEN_CREDENTIALS', 'MONITORED', 'CRITICAL'),
  kind('MALICIOUS_BROWSER_EXTENSION', 'MONITORED', 'HIGH'),
  kind('MALICIOUS_BROWSER_EXTENSION', 'BLOCKED', 'MEDIUM'),
  kind('MALICIOUS_BROWSER_EXTENSION', 'MONITORED', 'LOW'),
]

const phishingHosts = [
  'login.sso-northgate.example',
  'northgate-okta.example',
  'account-verify.example',
  'share-point-files.example',
]
const malwareHosts = ['captcha-check.example', 'download-codec-now.example', 'fix-your-browser.example']
const blockedHosts = [
  'cdn.free-share-box.example',
  'torrent-harbour.example',
  'roulette.casino-night.example',
  'sso-northgate.example',
]

/** Attacks and dangerous acts of the last 90 days, in the browsers that there are. */
export function demoDetections(
  world: DemoWorld,
  people: readonly Employee[],
  browsers: readonly Browser[],
  apps: ReadonlyMap<string, App>,
): Detection[] {
  const byId = new Map(people.map((person) => [person.id, person]))
  const count = Math.ceil(people.length * 0.6)
  return byCreation(
    Array.from({ length: browsers.length > 0 ? count : 0 }, () => {
      const browser = world.random.pick(browsers)
      const person = byId.get(browser.employeeId)
      return person ? [detection(world, person, browser, [...apps.values()])] : []
    }).flat(),
  )
}

function detection(world: DemoWorld, person: Employee, browser: Browser, apps: readonly App[]): Detection {
  const { random, nowSeconds } = world
  const what = random.pick(kinds)
  const creationTimestamp = world.between(
    Math.max(nowSeconds - 90 * daySeconds, browser.creationTimestamp),
    nowSeconds - 60,
  )
  const id = world.idAt(creationTimestamp)
  const app =
    what.detectionType === 'STOLEN_CREDENTIALS' || (what.detectionType === 'PHISHING' && random.chance(0.5))
      ? random.pick(apps)
      : undefined
  const dealtWith = creationTimestamp < nowSeconds - 5 * daySeconds && random.chance(0.7)
  return {
    id,
    employeeId: person.id,
    employee: detectedEmployee(person),
    browserId: browser.id,
    ...what,
    classification: dealtWith
      ? random.pick(['TRUE_POSITIVE', 'TRUE_POSITIVE', 'BENIGN_TRUE_POSITIVE', 'FALSE_POSITIVE'])
      : 'NOT_CLASSIFIED',
    archived: dealtWith && random.chance(0.8),
    appId: app?.id ?? null,
    appType: app?.type ?? null,
    ...placeOf(world, what, app),
    sourceIpAddress: `${random.pick(['203.0.113', '198.51.100', '192.0.2'])}.${1 + random.below(254)}`,
    userAgent: userAgentOf(browser),
    detectionLink: `${world.publicUrl}/console/detections/${id}`,
    creationTimestamp,
    lastActivityTimestamp: Math.min(
      nowSeconds,
      creationTimestamp + (random.chance(0.3) ? random.below(3600) : 0),
    ),
  }
}

function detectedEmployee({
  groups: _groups,
  secondaryEmails: _emails,
  mergedIntoId: _mergedIntoId,
  ...shown
}: Employee): Detection['employee'] {
  return shown
}

function placeOf(
  { random }: DemoWorld,
  { detectionType }: Kind,
  app: App | undefined,
): Pick<Detection, 'url' | 'referrerUrl'> {
  const path = random.below(0xffffff).toString(36)
  switch (detectionType) {
    case 'PHISHING':
      return {
        url: `https://${random.pick(phishingHosts)}/${path}/login`,
        referrerUrl: random.pick(['https://mail.google.com/', 'https://www.linkedin.com/', null]),
      }
    case 'MALWARE_DELIVERY':
      return { url: `https://${random.pick(malwareHosts)}/${path}`, referrerUrl: 'https://search.example/' }
    case 'BLOCKED_URL':
      return { url: `https://${random.pick(blockedHosts)}/${path}`, referrerUrl: null }
    case 'STOLEN_CREDENTIALS':
      return { url: app ? `${app.website}/login` : null, referrerUrl: null }
    default:
      return { url: null, referrerUrl: null }
  }
}

const platforms: Readonly<Record<string, string>> = {
  MACOS: 'Macintosh; Intel Mac OS X 10_15_7',
  WINDOWS: 'Windows NT 10.0; Win64; x64',
  LINUX: 'X11; Linux x86_64',
  CHROMEOS: 'X11; CrOS x86_64 14541.0.0',
}

function userAgentOf({ os, browser, version }: Browser): string {
  const platform = platforms[os] ?? platforms.LINUX
  const major = version.split('.')[0]
  if (browser === 'FIREFOX')
    return `Mozilla/5.0 (${platform}; rv:${major}.0) Gecko/20100101 Firefox/${major}.0`
  if (browser === 'SAFARI')
    return `Mozilla/5.0 (${platform}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`
  const edge = browser === 'EDGE' ? ` Edg/${major}.0.0.0` : ''
  return `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36${edge}`
}
