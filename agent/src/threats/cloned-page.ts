import { registrableHost } from '@muster/contract/catalog/catalog'
import type { Product } from '@muster/contract/catalog/product'
import { sharesSignIn } from '../logins/federation/login-vendors.ts'
import type { PageFeatures } from './page-features.ts'

/** Marks of a provider's own sign-in page, besides its brand words. */
interface Likeness {
  /** Hosts of its pictures and style sheets. Sites that offer to sign in with it use them as well. */
  readonly pictures: readonly string[]
  /** Sets of field names. A page with all names of a set has a similar form. */
  readonly fields: readonly (readonly string[])[]
  /** Titles without the brand name. */
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
 * Providers whose branded pages also run on customers' hosts, where brand words and fields prove nothing. Points count
 * only with evidence of a copy, which such a page never has.
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

/** Names that mail servers of any organization use as well. */
const ambiguousWords = new Set(['outlook'])

const filler =
  /\b(?:sign|log)(?:ging|ing)?[ -]?(?:in|on)\b|\blogin\b|\baccounts?\b|\byour\b|\bto\b|\bthe\b|\bwith\b|\bpage\b|\bwelcome\b|\bonline\b|\blogo\b|\bworkspace\b|\bportal\b|\bsecure\b|\banmelden\b|\bconnexion\b|\biniciar sesión\b|\.(?:svg|png|jpe?g|gif|webp|ico)\b/g

/** Returns true if a text contains the brand and nothing that could be another name. */
function isJustBrand(text: string, brandWords: readonly string[]): boolean {
  const said = text.toLowerCase().replace(filler, ' ')
  const rest = brandWords.reduce((left, word) => left.replaceAll(word, ' '), said)
  return rest !== said && !/[\p{L}\p{N}]/u.test(rest)
}

const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
const anyUnder = (hosts: readonly string[], domains: readonly string[]) =>
  hosts.some((host) => domains.some((domain) => isUnder(host, domain)))

/**
 * Evidence that a page imitates a provider, with points. A form that submits to its own page is no counter-evidence.
 */
const evidencePoints = {
  /** Title that is the brand and contains no other name. */
  TITLE: 2,
  /** Heading or picture that is the brand. */
  HEADING_OR_PICTURE: 2,
  /** Form with the fields of the provider's form. */
  FIELDS: 3,
  /** Pictures or style sheets of the provider; counts only together with its title or fields. */
  PICTURES: 3,
  /** Host name containing the brand. */
  HOST_NAME: 2,
  /** Page saved from another site. */
  SAVED_COPY: 2,
  /** Form that submits to a collecting script or to another host. */
  SENT_ELSEWHERE: 1,
} as const
type CloneEvidence = keyof typeof evidencePoints

/** Evidence that a provider's page on a customer's own host never has. */
const evidenceOfCopy: ReadonlySet<CloneEvidence> = new Set(['HOST_NAME', 'SAVED_COPY', 'SENT_ELSEWHERE'])

/** Returns a host name with look-alike characters replaced by plain letters. */
const plainLetters = (name: string) =>
  name.replaceAll('rn', 'm').replaceAll('vv', 'w').replace(/[01]/g, lookAlikeOf)
const lookAlikeOf = (digit: string) => (digit === '0' ? 'o' : 'i')

/** Words in host names of phishing pages. */
const lureWords =
  /log-?in|sign-?in|signon|auth|verif|secur|account|password|support|helpdesk|portal|sso|365|online|update/

/** Returns true for a registrable name such as `login-m1crosoft.example`: the brand and a lure word. */
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
/** Minimum length of a brand word. Shorter words are parts of other names. */
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

const pointsMinimum = 4

/** Evidence of which at least one kind is required: field names, copies and form targets alone do not make a clone. */
const decisive: ReadonlySet<CloneEvidence> = new Set(['TITLE', 'HEADING_OR_PICTURE', 'PICTURES'])

function pointsOf(evidence: readonly CloneEvidence[], { appType }: Product): number {
  const isNamed = evidence.some((kind) => decisive.has(kind))
  const isExcused = hostedByCustomers.has(appType) && !evidence.some((kind) => evidenceOfCopy.has(kind))
  return isNamed && !isExcused ? evidence.reduce((sum, kind) => sum + evidencePoints[kind], 0) : 0
}

/** Returns true for hosts of the organization's own provider and other hosts of the vendor, which may show its name. */
const isOfProvider = (pageHost: string, { domains, loginHosts }: Product): boolean =>
  [...domains, ...loginHosts].some((host) => sharesSignIn(host, pageHost))

/** Imitated provider and the evidence. */
export interface Imitation {
  readonly product: Product
  readonly evidence: readonly CloneEvidence[]
}

/**
 * Returns the identity provider that a page imitates (domain contract, section 7), judged by its title, brand words,
 * form, pictures and host. Call for pages outside the catalog that ask for a password.
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
    if (points < pointsMinimum || points <= (best?.points ?? 0) || isOfProvider(pageHost, product)) continue
    best = { product, evidence, points }
  }
  return best && { product: best.product, evidence: best.evidence }
}
