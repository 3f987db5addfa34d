import { registrableHost } from '@muster/contract/catalog/catalog'
import type { Product } from '@muster/contract/catalog/product'
import { sharesSignIn } from '../logins/federation/login-vendors.ts'
import type { PageFeatures } from './page-features.ts'

/** Marks of a provider's own sign-in page, besides its brand words. */
interface Likeness {
  /** Hosts of its pictures and style sheets. Whoever offers to sign in by it has such as well. */
  readonly pictures: readonly string[]
  /** Sets of fields; a page with all of one set has a form like it. */
  readonly fields: readonly (readonly string[])[]
  /** Titles that it has without naming itself. */
  readonly titles: readonly string[]
}

const likenesses: Readonly<Record<string, Likeness>> = {
  MICROSOFT_365: {
    pictures: ['msauth.net', 'msftauth.net', 'msauthimages.net', 'msftauthimages.net'],
    fields: [['loginfmt']],
    titles: ['sign in to your account'],
  },
  GOOGLE_WORKSPACE: {
    pictures: ['ssl.gstatic.com', 'accounts.google.com'],
    fields: [['identifierid']],
    titles: [],
  },
  GITHUB: { pictures: ['github.githubassets.com'], fields: [['login_field']], titles: [] },
  APPLE: { pictures: ['appleid.cdn-apple.com'], fields: [['account_name_text_field']], titles: [] },
  FACEBOOK: { pictures: ['static.xx.fbcdn.net'], fields: [['lsd', 'jazoest']], titles: [] },
  LINKEDIN: { pictures: ['static.licdn.com'], fields: [['session_key', 'session_password']], titles: [] },
  AMAZON: { pictures: ['images-amazon.com'], fields: [['ap_email', 'ap_password']], titles: [] },
}

/**
 * Providers whose pages stand, with their name, on hosts of customers too: their words and fields prove nothing there.
 * Only what such a page never has, evidence of a copy, adds to them.
 */
const hostedByCustomers = new Set([
  'ATLASSIAN',
  'AUTH0',
  'CYBERARK',
  'DUO',
  'GITLAB',
  'JUMPCLOUD',
  'ONELOGIN',
  'PING_IDENTITY',
  'SALESFORCE',
  'SAP',
])

/** Names that are those of mail servers of anybody as well. */
const ambiguousWords = new Set(['outlook'])

const filler =
  /\b(?:sign|log)(?:ging|ing)?[ -]?(?:in|on)\b|\blogin\b|\baccounts?\b|\byour\b|\bto\b|\bthe\b|\bwith\b|\bpage\b|\bwelcome\b|\bonline\b|\blogo\b|\bworkspace\b|\bportal\b|\bsecure\b|\banmelden\b|\bconnexion\b|\biniciar sesión\b|\.(?:svg|png|jpe?g|gif|webp|ico)\b/g

/** Whether a text says the brand and nothing else that would be somebody's own name. */
function isJustBrand(text: string, brandWords: readonly string[]): boolean {
  const said = text.toLowerCase().replace(filler, ' ')
  const rest = brandWords.reduce((left, word) => left.replaceAll(word, ' '), said)
  return rest !== said && !/[\p{L}\p{N}]/u.test(rest)
}

const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
const anyUnder = (hosts: readonly string[], domains: readonly string[]) =>
  hosts.some((host) => domains.some((domain) => isUnder(host, domain)))

/** Evidence that a page imitates a provider, and its points. A form that is sent to the page itself is none against it. */
export const evidencePoints = {
  /** The title is the brand, and nothing that would be a name of somebody else. */
  TITLE: 2,
  /** A heading or a picture is the brand. */
  HEADING_OR_PICTURE: 2,
  /** The form has the fields of the provider's form. */
  FIELDS: 3,
  /** Pictures or style sheets are the provider's; counts only beside its title or fields. */
  PICTURES: 3,
  /** The name of the host is made of the brand. */
  HOST_NAME: 2,
  /** The page was saved from another one. */
  SAVED_COPY: 2,
  /** The form is sent to a script that only collects, or to another host. */
  SENT_ELSEWHERE: 1,
} as const
export type CloneEvidence = keyof typeof evidencePoints

/** Evidence that a page of the provider on a customer's own host never has. */
const evidenceOfCopy: ReadonlySet<CloneEvidence> = new Set(['HOST_NAME', 'SAVED_COPY', 'SENT_ELSEWHERE'])

/** Letters as look-alike host names write them. */
const plainLetters = (name: string) =>
  name.replaceAll('rn', 'm').replaceAll('vv', 'w').replace(/[01]/g, lookAlikeOf)
const lookAlikeOf = (digit: string) => (digit === '0' ? 'o' : 'i')

/** Words in names of hosts that ask for a password under a false name. */
const lureWords =
  /log-?in|sign-?in|signon|auth|verif|secur|account|password|support|helpdesk|portal|sso|365|online|update/

/** Returns true for a registrable name such as `login-m1crosoft.example`: the brand and a word that lures. */
function isNamedAfter(host: string, brandWords: readonly string[]): boolean {
  const [label = ''] = (registrableHost(host) ?? host).split('.')
  const names = [label, plainLetters(label)]
  return brandWords.some((word) => {
    const brand = word.replace(/[^a-z0-9]/g, '')
    if (brand.length < brandLengthMinimum) return false
    return names.some((name) => {
      const isWritten = name.includes(brand)
      return isWritten && (!label.includes(brand) || lureWords.test(name.replace(brand, ' ')))
    })
  })
}
/** Shorter words are parts of other names. */
const brandLengthMinimum = 4

function evidenceOf(page: PageFeatures, product: Product, pageHost: string): CloneEvidence[] {
  const brandWords = (product.brandWords ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2 && !ambiguousWords.has(word))
    .sort((a, b) => b.length - a.length)
  const own = likenesses[product.appType]
  const title = page.title.toLowerCase().trim()
  const names = new Set(page.fieldNames.map((name) => name.toLowerCase()))
  const isTitled = isJustBrand(title, brandWords) || (own?.titles.includes(title) ?? false)
  const hasFields = own?.fields.some((set) => set.every((field) => names.has(field))) ?? false
  const found: Readonly<Record<CloneEvidence, boolean>> = {
    TITLE: isTitled,
    HEADING_OR_PICTURE: [...page.headings, ...page.pictureWords].some((words) =>
      isJustBrand(words, brandWords),
    ),
    FIELDS: hasFields,
    PICTURES:
      (isTitled || hasFields) &&
      anyUnder(page.pictureHosts, [...(own?.pictures ?? []), ...product.loginHosts]),
    HOST_NAME: isNamedAfter(pageHost, brandWords),
    SAVED_COPY: page.marks.includes('COPIED_BY_TOOL'),
    SENT_ELSEWHERE:
      page.marks.includes('POSTED_TO_SCRIPT') || page.formHosts.some((host) => host !== pageHost),
  }
  return (Object.keys(found) as CloneEvidence[]).filter((kind) => found[kind])
}

const enough = 4

/** Evidence of which one at least must be there: names of fields, copies and forms alone are nobody's clone. */
const decisive: ReadonlySet<CloneEvidence> = new Set(['TITLE', 'HEADING_OR_PICTURE', 'PICTURES'])

function pointsOf(evidence: readonly CloneEvidence[], { appType }: Product): number {
  const isNamed = evidence.some((kind) => decisive.has(kind))
  const isExcused = hostedByCustomers.has(appType) && !evidence.some((kind) => evidenceOfCopy.has(kind))
  return isNamed && !isExcused ? evidence.reduce((sum, kind) => sum + evidencePoints[kind], 0) : 0
}

/** The organization's own hosts beside its provider, and other hosts of a vendor, show its name by right. */
const isOfProvider = (pageHost: string, { domains, loginHosts }: Product): boolean =>
  [...domains, ...loginHosts].some((host) => sharesSignIn(host, pageHost))

/** An imitated provider, and what shows it. */
export interface Imitation {
  readonly product: Product
  readonly evidence: readonly CloneEvidence[]
}

/**
 * Returns the identity provider that a page imitates (domain contract, section 7), by its title, brand words, form,
 * pictures and host. To be asked about pages that ask for a password on hosts outside the catalog.
 *
 * @returns undefined if it imitates none
 */
export function imitatedProvider(
  page: PageFeatures,
  pageHost: string,
  providers: readonly Product[],
): Imitation | undefined {
  let best: (Imitation & { readonly points: number }) | undefined
  for (const product of providers) {
    const evidence = evidenceOf(page, product, pageHost)
    const points = pointsOf(evidence, product)
    if (points < enough || points <= (best?.points ?? 0) || isOfProvider(pageHost, product)) continue
    best = { product, evidence, points }
  }
  return best && { product: best.product, evidence: best.evidence }
}
