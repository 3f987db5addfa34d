import type { PasswordFacts } from '@muster/contract/agent/agent-event'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { randomUuid } from './random-uuid.ts'

/** Facts about a password that an agent knows. */
export interface SimulatedPassword {
  readonly passwordId: string
  readonly weakReasons: PasswordFacts['weakReasons']
  readonly leaked: boolean
  /** True if it is the stolen password of the person. */
  readonly stolen: boolean
}

/** Password habits of a person. */
export interface PasswordHabits {
  /** Probability of typing a password that a manager could fill in. */
  readonly typing: number
  /** Probability that an app has the reused password. */
  readonly reuse: number
  /** Password that is reused. */
  readonly usual: SimulatedPassword
}

type Weakness = PasswordFacts['weakReasons'][number]

const weaknesses: readonly { readonly weight: number; readonly reasons: readonly Weakness[] }[] = [
  { weight: 5, reasons: ['COMMON_BASE_WORD'] },
  { weight: 2, reasons: ['TOO_SHORT'] },
  { weight: 2, reasons: ['COMMON_BASE_WORD', 'TOO_SHORT'] },
  { weight: 1, reasons: ['RESTRICTED_WORD'] },
]

/**
 * Creates a password.
 *
 * @param weak probability of a weak password
 * @param leaked probability that a strong password is leaked
 */
function makePassword(random: SeededRandom, weak: number, leaked: number): SimulatedPassword {
  const isWeak = random.chance(weak)
  return {
    passwordId: randomUuid(random),
    weakReasons: isWeak ? [...random.weighted(weaknesses).reasons] : [],
    leaked: random.chance(isWeak ? 0.35 : leaked),
    stolen: false,
  }
}

/** Returns the habits of a person. Most use a password manager; some type all passwords. */
export function passwordHabits(random: SeededRandom): PasswordHabits {
  const manager = random.chance(0.7)
  return {
    typing: manager ? 0.08 : 0.85,
    reuse: random.chance(manager ? 0.1 : 0.35) ? 0.6 : 0.04,
    usual: { ...makePassword(random, 0.3, 0.06), stolen: random.chance(0.5) },
  }
}

/** Returns the password of an app: the reused one or a new one. */
export const passwordFor = (random: SeededRandom, { reuse, usual }: PasswordHabits): SimulatedPassword =>
  random.chance(reuse) ? usual : makePassword(random, 0.06, 0.015)

/** Creates a strong password. */
export const goodPassword = (random: SeededRandom): SimulatedPassword => makePassword(random, 0, 0)
