import type { Product } from '@muster/contract/catalogue/product'
import type { PageFeatures } from './page-features.ts'

/** What a provider's own sign-in page is made of, besides its brand words. */
interface Likeness {
  /** Hosts of its pictures and style sheets. Whoever offers to sign in by it has such as well. */
  readonly pictures: readonly string[]
  /** Fields of its form; all of them are there. */
  readonly fields: readonly string[]
  /** Titles that it has without naming itself. */
  readonly titles: readonly string[]
}

const likenesses: Readonly<Record<string, Likeness>> = {
  MICROSOFT_365: {
    pictures: ['msauth.net', 'msftauth.net', 'msauthimages.net', 'msftauthimages.net'],
    fields: ['loginfmt', 'passwd'],
    titles: ['sign in to your account'],
  },
  GOOGLE_WORKSPACE: {
    pictures: ['ssl.gstatic.com', 'accounts.google.com'],
    fields: ['identifierid'],
    titles: [],
  },
  GITHUB: { pictures: ['github.githubassets.com'], fields: ['login_field'], titles: [] },
  APPLE: { pictures: ['appleid.cdn-apple.com'], fields: ['account_name_text_field'], titles: [] },
  FACEBOOK: { pictures: ['static.xx.fbcdn.net'], fields: ['lsd', 'jazoest'], titles: [] },
  LINKEDIN: { pictures: ['static.licdn.com'], fields: ['session_key', 'session_password'], titles: [] },
  AMAZON: { pictures: ['images-amazon.com'], fields: ['ap_email', 'ap_password'], titles: [] },
}

/**
 * Providers whose pages stand on customers' own hosts too, with the same fields and pictures: their clones
 * are told only by all signs of the brand together.
 */
const hostedByCustomers = new Set([
  'ATLASSIAN',
  'AUTH0',
  'AWS_IAM_IDENTITY_CENTER',
  'CYBERARK',
  'DUO',
  'GITLAB',
  'JUMPCLOUD',
  'OKTA',
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

/** Evidence that a page imitates a provider, in points. */
function likeness(page: PageFeatures, product: Product, pageHost: string): number {
  const brandWords = (product.brandWords ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2 && !ambiguousWords.has(word))
    .sort((a, b) => b.length - a.length)
  const own = likenesses[product.appType]
  const title = page.title.toLowerCase().trim()
  const isTitled = isJustBrand(title, brandWords) || (own?.titles.includes(title) ?? false)
  const isHeaded = [...page.headings, ...page.pictureWords].some((words) => isJustBrand(words, brandWords))
  const isSentElsewhere = page.formHosts.some((host) => host !== pageHost)
  const brand = (isTitled ? 2 : 0) + (isHeaded ? 2 : 0) + (isSentElsewhere ? 1 : 0)
  if (hostedByCustomers.has(product.appType)) return brand >= 5 ? brand : 0
  const names = new Set(page.fieldNames.map((name) => name.toLowerCase()))
  const hasFields = own?.fields.every((field) => names.has(field)) === true
  const hasPictures =
    own !== undefined && (isTitled || hasFields) && anyUnder(page.pictureHosts, own.pictures)
  return brand + (hasFields ? 3 : 0) + (hasPictures ? 3 : 0)
}

const enough = 4

/**
 * The identity provider that a page imitates (domain contract, section 7): by its title, brand words, form
 * and pictures. To be asked about pages that ask for a password on hosts outside the catalogue.
 *
 * @returns the product, or undefined if it imitates none
 */
export function imitatedProvider(
  page: PageFeatures,
  pageHost: string,
  providers: readonly Product[],
): Product | undefined {
  const scored = providers.map((product) => ({ product, points: likeness(page, product, pageHost) }))
  const best = scored.reduce((a, b) => (b.points > a.points ? b : a), { product: undefined, points: 0 } as {
    product: Product | undefined
    points: number
  })
  return best.points >= enough ? best.product : undefined
}
