import type { BlockedUrlVisitedEvent, PageThreat, PageThreatEvent } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'

/** An event before it has its id; the time is in UNIX seconds. */
export type Unnamed<E> = Omit<E, 'id'>

/** A wave of mails that lures many people to the same page for a few days. */
export interface Campaign {
  readonly fromDay: number
  readonly untilDay: number
  readonly threat: PageThreat
  readonly host: string
}

const threats: readonly { readonly weight: number; readonly threat: PageThreat }[] = [
  { weight: 3, threat: 'PROTECTED_PASSWORD_ENTERED' },
  { weight: 4, threat: 'CLONED_LOGIN_PAGE' },
  { weight: 2, threat: 'PHISHING_TOOL' },
  { weight: 3, threat: 'MALICIOUS_COPY_PASTE' },
]
const hosts: Readonly<Record<PageThreat, readonly string[]>> = {
  PROTECTED_PASSWORD_ENTERED: [
    'survey-prize.example',
    'quick-file-share.example',
    'forum.hobby-trains.example',
  ],
  CLONED_LOGIN_PAGE: ['northgate-okta.example', 'login.sso-n0rthgate.example', 'share-point-files.example'],
  PHISHING_TOOL: ['account-verify.example', 'secure-mail-review.example', 'payroll-update.example'],
  MALICIOUS_COPY_PASTE: ['captcha-check.example', 'download-codec-now.example', 'fix-your-browser.example'],
}
const lures = ['https://mail.google.com/', 'https://www.linkedin.com/', 'https://search.example/', null]
/** Whose password is typed where it does not belong. */
const protectedApps = ['OKTA', 'GOOGLE_WORKSPACE', 'MICROSOFT_365']

/** The waves of the whole time: about one in three weeks. */
export const campaigns = (random: SeededRandom, days: number): Campaign[] =>
  Array.from({ length: Math.ceil(days / 21) }, (_, at) => {
    const { threat } = random.weighted(threats)
    const fromDay = at * 21 + random.below(18)
    return { fromDay, untilDay: fromDay + 2, threat, host: random.pick(hosts[threat]) }
  })

/** From 0 to 1: how likely somebody meets such a page on a working day. */
const chances = { usual: 0.005, inCampaign: 0.03, blockedUrl: 0.006 }

/** What happens on the page is a sequence: the warning, that it was ignored, that the password was given. */
export function pageAttack(
  random: SeededRandom,
  policy: AgentPolicy,
  waves: readonly Campaign[],
  day: number,
  atSeconds: number,
): Unnamed<PageThreatEvent>[] {
  const wave = waves.find(({ fromDay, untilDay }) => fromDay <= day && day <= untilDay)
  if (!random.chance(wave ? chances.inCampaign : chances.usual)) return []
  const threat = wave?.threat ?? random.weighted(threats).threat
  const host = wave?.host ?? random.pick(hosts[threat])
  const protects = threat === 'PROTECTED_PASSWORD_ENTERED' || threat === 'CLONED_LOGIN_PAGE'
  const appType = protects ? random.pick(protectedApps) : null
  const { mode, byApp } = protectionOf(policy, threat)
  const applied = (appType === null ? undefined : byApp[appType]) ?? mode
  if (applied === 'OFF') return []
  const seen = {
    kind: 'PAGE_THREAT' as const,
    threat,
    url: `https://${host}/${random.below(0xffffff).toString(36)}/login`,
    referrerUrl: random.pick(lures),
    mode: applied,
    appType,
  }
  const answered = (seconds: number, response: PageThreatEvent['response'], passwordEntered = false) => ({
    ...seen,
    timestamp: atSeconds + seconds,
    response,
    passwordEntered: passwordEntered && threat !== 'MALICIOUS_COPY_PASTE',
  })
  if (applied === 'BLOCK') return [answered(0, 'BLOCKED')]
  if (applied === 'MONITOR') return [answered(0, 'MONITORED', random.chance(0.25))]
  if (random.chance(0.72)) return [answered(0, 'EMPLOYEE_WARNED')]
  const ignored = [answered(0, 'EMPLOYEE_WARNED'), answered(7, 'EMPLOYEE_IGNORED_WARNING')]
  return random.chance(0.35) ? [...ignored, answered(30, 'EMPLOYEE_IGNORED_WARNING', true)] : ignored
}

function protectionOf(policy: AgentPolicy, threat: PageThreat): AgentPolicy['clonedLoginPages'] {
  switch (threat) {
    case 'PROTECTED_PASSWORD_ENTERED':
      return policy.protectedPasswords
    case 'CLONED_LOGIN_PAGE':
      return policy.clonedLoginPages
    case 'PHISHING_TOOL':
      return policy.phishingTools
    case 'MALICIOUS_COPY_PASTE':
      return policy.maliciousCopyPaste
  }
}

/** Somebody follows a link to what the organization has blocked, once in a while twice. */
export function blockedVisits(
  random: SeededRandom,
  { blockedUrls }: AgentPolicy,
  atSeconds: number,
): Unnamed<BlockedUrlVisitedEvent>[] {
  if (blockedUrls.length === 0 || !random.chance(chances.blockedUrl)) return []
  const { id, url } = random.pick(blockedUrls)
  const visit = {
    kind: 'BLOCKED_URL_VISITED' as const,
    timestamp: atSeconds,
    url: addressIn(url, random),
    referrerUrl: random.pick(lures),
    blockedUrlId: id,
  }
  return random.chance(0.25) ? [visit, { ...visit, timestamp: atSeconds + 90 }] : [visit]
}

/** An address that a pattern of blocked URLs takes in. */
function addressIn(pattern: string, random: SeededRandom): string {
  const [, scheme = 'https', rest = pattern] = /^(?:(https?):\/\/)?(.*)$/.exec(pattern) ?? []
  const named = rest.replace(/^\*\./, random.pick(['www.', 'cdn.', 'm.', '']))
  const path = random.below(0xffff).toString(36)
  return `${scheme}://${named.includes('/') ? named.replace(/\*$/, path) : `${named}/${path}`}`
}
