import type { LoginEvent } from '@muster/contract/agent/agent-event'
import type { Catalog } from '@muster/contract/catalog/catalog'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { firstUseDay, introducedOn } from './app-growth.ts'
import { companyDomain, otherSites, privateMailDomain, rareSites, sharedByTeam } from './company.ts'
import { goodPassword, type PasswordHabits, passwordFor, type SimulatedPassword } from './password-habits.ts'
import type { SimulatedPerson } from './simulated-people.ts'
import { anySignIn, likelihood, type SignIn, type UsedProduct, usedProducts } from './used-products.ts'

type Factor = NonNullable<LoginEvent['mfa']>

/** Account that a person uses. Days are counted from the first simulated day. */
export interface AppUse {
  /** Token in the catalog; null for other sites. */
  readonly appType: string | null
  /** Host of the sign-in page. */
  readonly host: string
  /** Email address or user name of the account. */
  readonly email: string
  readonly signIn: SignIn
  /** Index of the browser in which it is used. */
  readonly browser: number
  /** Days that a session lasts. */
  readonly sessionDays: number
  readonly fromDay: number
  readonly untilDay: number
  /** Returns the password on a day; undefined for other kinds of login. */
  passwordOn(day: number): SimulatedPassword | undefined
  /** Returns the second factor on a day; undefined if there is none. */
  factorOn(day: number): Factor | undefined
}

/** Input for choosing the apps of a person. */
export interface UseSetting {
  readonly catalog: Catalog
  readonly random: SeededRandom
  readonly habits: PasswordHabits
  readonly browsers: number
  readonly days: number
}

/**
 * Returns the accounts of a person: apps of the department, other sites, trials, and accounts shared with the
 * team.
 */
export function appUses(setting: UseSetting, person: SimulatedPerson): AppUse[] {
  const { random } = setting
  const products = usedProducts.filter((product) => random.chance(likelihood(product, person.department)))
  return [
    ...products.flatMap((product) => productUses(setting, person, product)),
    ...trials(setting, person),
    ...sites(random).map((host) =>
      use(setting, { appType: null, host, email: person.email, signIn: otherSignIn(random) }),
    ),
    ...teamAccounts(setting, person),
  ]
}

/** Returns hosts outside of the catalog: some that many people use, and sometimes a rare one. */
function sites(random: SeededRandom): string[] {
  const known = random.sample(otherSites, random.below(4))
  const rare = `${random.pick(rareSites.first)}-${random.pick(rareSites.second)}.example`
  return random.chance(0.08) ? [...known, rare] : known
}

/** Returns the accounts of a person on a product: usually one, sometimes with a second kind of login. */
function productUses(setting: UseSetting, person: SimulatedPerson, product: UsedProduct): AppUse[] {
  const { random, catalog } = setting
  const { appType, audience } = product
  const place = {
    appType,
    host: loginHost(catalog, appType),
    email: audience === 'GenAI' && random.chance(0.12) ? privateAddress(person) : person.email,
  }
  const signIn = random.chance(0.85) ? product.signIn : otherSignIn(random)
  const first = use(setting, { ...place, signIn })
  const second = use(setting, { ...place, signIn: otherSignIn(random) })
  const uses = random.chance(0.05) ? [first, second] : [first]
  // More people use AI tools every week, and keep them.
  if (audience !== 'GenAI') return uses
  const fromDay = firstUseDay(random, setting.days)
  return uses.map((one) => ({ ...one, fromDay, untilDay: setting.days }))
}

const otherSignIn = (random: SeededRandom): SignIn => {
  const { loginType, identityProvider } = random.weighted(anySignIn)
  return { loginType, identityProvider }
}

const privateAddress = ({ email }: SimulatedPerson): string => email.replace(companyDomain, privateMailDomain)

/**
 * Returns the host of the product's sign-in page, or of the company's own subdomain if every customer has
 * one.
 */
function loginHost(catalog: Catalog, appType: string): string {
  const product = catalog.byType(appType)
  if (!product) throw new RangeError(`the catalog has no product ${appType}`)
  const [own = ''] = product.domains
  return product.loginHosts[0] ?? `northgate.${own}`
}

/** Returns apps that the person tried once with "Sign in with Google". */
function trials(setting: UseSetting, person: SimulatedPerson): AppUse[] {
  const { random, catalog, days } = setting
  return Array.from({ length: random.below(3) }, () => {
    const { appType, loginHosts } = random.pick(catalog.all)
    const earliest = introducedOn(appType, days)
    const day = earliest === 0 && random.chance(0.5) ? 0 : earliest + random.below(days - earliest)
    const trial = use(setting, {
      appType,
      host: loginHosts[0] ?? loginHost(catalog, appType),
      email: person.email,
      signIn: { loginType: 'OIDC_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' },
    })
    // Used once or twice, depending on working days.
    return { ...trial, fromDay: day, untilDay: day + 9, sessionDays: 7 }
  })
}

/** One team per department shares its accounts among this many people of the company. */
const peoplePerTeam = 400

function teamAccounts(setting: UseSetting, person: SimulatedPerson): AppUse[] {
  const { random, catalog } = setting
  // Large departments have several teams.
  const team = Math.floor(person.number / peoplePerTeam)
  const mailbox = `${person.department.toLowerCase()}${team === 0 ? '' : `-${team + 1}`}@${companyDomain}`
  return (sharedByTeam[person.department] ?? [])
    .filter(() => random.chance(0.12))
    .map((appType) => ({
      ...use(setting, {
        appType,
        host: loginHost(catalog, appType),
        email: mailbox,
        signIn: { loginType: 'PASSWORD_LOGIN', identityProvider: null },
      }),
      factorOn: () => undefined,
    }))
}

type Chosen = Pick<AppUse, 'appType' | 'host' | 'email' | 'signIn'>

function use(setting: UseSetting, chosen: Chosen): AppUse {
  const { random, browsers, days } = setting
  const byPassword = chosen.signIn.loginType === 'PASSWORD_LOGIN'
  const fromDay = random.chance(0.75) ? 0 : random.below(days)
  const untilDay = random.chance(0.88) ? days : fromDay + random.below(days)
  return {
    ...chosen,
    browser: random.chance(0.8) ? 0 : random.below(browsers),
    // Password sessions end with the browser; others end when the identity provider asks again.
    sessionDays: byPassword ? random.pick([6, 7, 7, 14]) : random.pick([14, 21, 30, 30]),
    fromDay,
    untilDay,
    ...(byPassword ? credentials(setting) : { passwordOn: () => undefined, factorOn: () => undefined }),
  }
}

const factors: readonly Factor[] = [
  { method: 'APP_TOTP' },
  { method: 'APP_TOTP' },
  { method: 'PUSH_NOTIFICATION' },
  { method: 'WEBAUTHN' },
  { method: 'SMS_OTP' },
  { method: null },
]

/** Returns password and second factor of an account; some improve during the simulation. */
function credentials({ random, habits, days }: UseSetting): Pick<AppUse, 'passwordOn' | 'factorOn'> {
  const first = passwordFor(random, habits)
  const isBad = first.weakReasons.length > 0 || first.leaked || first === habits.usual
  const improvesOn = random.chance(isBad ? 0.3 : 0.05) ? 20 + random.below(days) : Number.POSITIVE_INFINITY
  const improved = goodPassword(random)
  const factor = random.pick(factors)
  const chance = random.fraction()
  const factorFrom = chance < 0.55 ? 0 : chance < 0.68 ? 50 + random.below(days) : Number.POSITIVE_INFINITY
  return {
    passwordOn: (day) => (day < improvesOn ? first : improved),
    factorOn: (day) => (day < factorFrom ? undefined : factor),
  }
}
