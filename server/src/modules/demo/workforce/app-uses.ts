import type { LoginEvent } from '@muster/contract/agent-event'
import type { Catalog } from '@muster/contract/catalog/catalog'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { companyDomain, privateMailDomain } from './company.ts'
import { goodPassword, type PasswordHabits, passwordFor, type SimulatedPassword } from './password-habits.ts'
import type { SimulatedPerson } from './simulated-people.ts'
import {
  anySignIn,
  likelihood,
  otherSites,
  type SignIn,
  sharedByTeam,
  type UsedProduct,
  usedProducts,
} from './used-products.ts'

type Factor = NonNullable<LoginEvent['mfa']>

/** An account that somebody uses, and how. Days are counted from the first of the simulation. */
export interface AppUse {
  /** As the catalog names it; null for a site outside. */
  readonly appType: string | null
  /** The host where one signs in. */
  readonly host: string
  /** The address or user name of the account. */
  readonly email: string
  readonly signIn: SignIn
  /** Which of the person's browsers it is used in. */
  readonly browser: number
  /** For how many days a session lasts. */
  readonly sessionDays: number
  readonly fromDay: number
  readonly untilDay: number
  /** The password by day; undefined for other ways to sign in. */
  passwordOn(day: number): SimulatedPassword | undefined
  /** The second factor by day; undefined if there is none. */
  factorOn(day: number): Factor | undefined
}

/** What is fixed before somebody's apps are chosen. */
export interface UseSetting {
  readonly catalog: Catalog
  readonly random: SeededRandom
  readonly habits: PasswordHabits
  readonly browsers: number
  readonly days: number
}

/** The accounts of a person: on what the department uses, on sites of their own finding, tried once, shared with the team. */
export function appUses(setting: UseSetting, person: SimulatedPerson): AppUse[] {
  const { random } = setting
  const products = usedProducts.filter((product) => random.chance(likelihood(product, person.department)))
  return [
    ...products.flatMap((product) => productUses(setting, person, product)),
    ...trials(setting, person),
    ...random
      .sample(otherSites, random.below(4))
      .map((host) => use(setting, { appType: null, host, email: person.email, signIn: otherSignIn(random) })),
    ...teamAccounts(setting, person),
  ]
}

/** How somebody uses a product: by one account, and now and then it is signed in to in two ways. */
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
  return random.chance(0.05) ? [first, use(setting, { ...place, signIn: otherSignIn(random) })] : [first]
}

const otherSignIn = (random: SeededRandom): SignIn => {
  const { loginType, identityProvider } = random.weighted(anySignIn)
  return { loginType, identityProvider }
}

const privateAddress = ({ email }: SimulatedPerson): string => email.replace(companyDomain, privateMailDomain)

/** The host of the product's sign-in page: the company's own, where each customer has one. */
export function loginHost(catalog: Catalog, appType: string): string {
  const product = catalog.byType(appType)
  if (!product) throw new RangeError(`the catalog has no product ${appType}`)
  const [own = ''] = product.domains
  return product.loginHosts[0] ?? `northgate.${own}`
}

/** What somebody tried by a click on "Sign in with Google" and never opened again. */
function trials(setting: UseSetting, person: SimulatedPerson): AppUse[] {
  const { random, catalog, days } = setting
  return Array.from({ length: random.below(3) }, () => {
    const { appType, loginHosts } = random.pick(catalog.all)
    const day = random.chance(0.5) ? 0 : random.below(days)
    const whole = use(setting, {
      appType,
      host: loginHosts[0] ?? loginHost(catalog, appType),
      email: person.email,
      signIn: { loginType: 'OIDC_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' },
    })
    // They come by once or twice, on whichever days they work.
    return { ...whole, fromDay: day, untilDay: day + 9, sessionDays: 7 }
  })
}

function teamAccounts(setting: UseSetting, person: SimulatedPerson): AppUse[] {
  const { random, catalog } = setting
  const mailbox = `${person.department.toLowerCase()}@${companyDomain}`
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
    // Sessions by password end with the browser's, the others when whoever vouches asks again.
    sessionDays: byPassword ? random.pick([6, 7, 7, 14]) : random.pick([14, 21, 30, 30]),
    fromDay,
    untilDay,
    ...(byPassword ? secrets(setting) : { passwordOn: () => undefined, factorOn: () => undefined }),
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

/** The password and the second factor of an account; some are mended while it is looked on. */
function secrets({ random, habits, days }: UseSetting): Pick<AppUse, 'passwordOn' | 'factorOn'> {
  const first = passwordFor(random, habits)
  const bad = first.weakReasons.length > 0 || first.leaked || first === habits.usual
  const mendedOn = random.chance(bad ? 0.3 : 0.05) ? 20 + random.below(days) : Number.POSITIVE_INFINITY
  const mended = goodPassword(random)
  const factor = random.pick(factors)
  const chance = random.fraction()
  const factorFrom = chance < 0.55 ? 0 : chance < 0.68 ? 50 + random.below(days) : Number.POSITIVE_INFINITY
  return {
    passwordOn: (day) => (day < mendedOn ? first : mended),
    factorOn: (day) => (day < factorFrom ? undefined : factor),
  }
}
