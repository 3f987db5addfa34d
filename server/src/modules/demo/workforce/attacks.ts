import type { BlockedUrlVisitedEvent, PageThreat, PageThreatEvent } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'

/** Event without an ID; the time is in UNIX seconds. */
export type Unnamed<E> = Omit<E, 'id'>

/** Phishing campaign that leads many people to the same page for a few days. */
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
const referrers = ['https://mail.google.com/', 'https://www.linkedin.com/', 'https://search.example/', null]
/** Apps whose passwords are entered on wrong sites. */
const protectedApps = ['OKTA', 'GOOGLE_WORKSPACE', 'MICROSOFT_365']

/** Returns the campaigns of the simulation: about one in three weeks. */
export const randomCampaigns = (random: SeededRandom, days: number): Campaign[] =>
  Array.from({ length: Math.ceil(days / 21) }, (_, at) => {
    const { threat } = random.weighted(threats)
    const fromDay = at * 21 + random.below(18)
    return { fromDay, untilDay: fromDay + 2, threat, host: random.pick(hosts[threat]) }
  })

/** Probability of an attack per person and working day. */
const chances = { usual: 0.005, inCampaign: 0.03, blockedUrl: 0.006 }

/** Returns the events of an attack: the warning, the ignored warning, the entered password. */
export function pageAttack(
  random: SeededRandom,
  policy: AgentPolicy,
  campaignList: readonly Campaign[],
  day: number,
  atSeconds: number,
): Unnamed<PageThreatEvent>[] {
  const campaign = campaignList.find(({ fromDay, untilDay }) => fromDay <= day && day <= untilDay)
  if (!random.chance(campaign ? chances.inCampaign : chances.usual)) return []
  const threat = campaign?.threat ?? random.weighted(threats).threat
  const host = campaign?.host ?? random.pick(hosts[threat])
  const protects = threat === 'PROTECTED_PASSWORD_ENTERED' || threat === 'CLONED_LOGIN_PAGE'
  const appType = protects ? random.pick(protectedApps) : null
  const { mode, byApp } = protectionOf(policy, threat)
  const effectiveMode = (appType === null ? undefined : byApp[appType]) ?? mode
  if (effectiveMode === 'OFF') return []
  const seen = {
    kind: 'PAGE_THREAT' as const,
    threat,
    url: `https://${host}/${random.below(0xffffff).toString(36)}/login`,
    referrerUrl: random.pick(referrers),
    mode: effectiveMode,
    appType,
  }
  const eventAt = (seconds: number, response: PageThreatEvent['response'], passwordEntered = false) => ({
    ...seen,
    timestamp: atSeconds + seconds,
    response,
    passwordEntered: passwordEntered && threat !== 'MALICIOUS_COPY_PASTE',
  })
  if (effectiveMode === 'BLOCK') return [eventAt(0, 'BLOCKED')]
  if (effectiveMode === 'MONITOR') return [eventAt(0, 'MONITORED', random.chance(0.25))]
  if (random.chance(0.72)) return [eventAt(0, 'EMPLOYEE_WARNED')]
  const ignored = [eventAt(0, 'EMPLOYEE_WARNED'), eventAt(7, 'EMPLOYEE_IGNORED_WARNING')]
  const lost = eventAt(30, 'EMPLOYEE_IGNORED_WARNING', true)
  const all = random.chance(0.35) ? [...ignored, lost] : ignored
  return threat === 'MALICIOUS_COPY_PASTE' ? all : [...all, ...malwareAfter(policy, lost)]
}

/** Returns the attempt of a phishing site to deliver malware as well, two minutes after a warning was ignored. */
function malwareAfter(
  policy: AgentPolicy,
  { url, referrerUrl, timestamp }: Unnamed<PageThreatEvent>,
): Unnamed<PageThreatEvent>[] {
  const threat = 'MALICIOUS_COPY_PASTE'
  const { mode } = protectionOf(policy, threat)
  if (mode === 'OFF') return []
  const responses = { BLOCK: 'BLOCKED', MONITOR: 'MONITORED', WARN: 'EMPLOYEE_WARNED' } as const
  return [
    {
      kind: 'PAGE_THREAT',
      threat,
      url,
      referrerUrl,
      mode,
      appType: null,
      timestamp: timestamp + 120,
      response: responses[mode],
      passwordEntered: false,
    },
  ]
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

/** Returns visits of blocked URLs, sometimes twice. */
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
    url: urlMatching(url, random),
    referrerUrl: random.pick(referrers),
    blockedUrlId: id,
  }
  return random.chance(0.25) ? [visit, { ...visit, timestamp: atSeconds + 90 }] : [visit]
}

/** Returns a URL that matches a pattern of blocked URLs. */
function urlMatching(pattern: string, random: SeededRandom): string {
  const [, scheme = 'https', rest = pattern] = /^(?:(https?):\/\/)?(.*)$/.exec(pattern) ?? []
  const named = rest.replace(/^\*\./, random.pick(['www.', 'cdn.', 'm.', '']))
  const path = random.below(0xffff).toString(36)
  return `${scheme}://${named.includes('/') ? named.replace(/\*$/, path) : `${named}/${path}`}`
}
