import type { PasswordFacts } from '@muster/contract/agent-event'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { randomUuid } from './random-uuid.ts'

/** A password as an agent knows it: by its id in one browser and what is wrong with it. */
export interface SimulatedPassword {
  readonly passwordId: string
  readonly weakReasons: PasswordFacts['weakReasons']
  readonly leaked: boolean
  /** Whether it is the one that was stolen from this person, if any was. */
  readonly stolen: boolean
}

/** How somebody goes about passwords. */
export interface PasswordHabits {
  /** From 0 to 1: how often they type a password that a manager could fill in. */
  readonly typing: number
  /** From 0 to 1: on how many of their apps they use one and the same. */
  readonly reuse: number
  /** The one that they reuse. */
  readonly usual: SimulatedPassword
}

type Weakness = PasswordFacts['weakReasons'][number]

const weaknesses: readonly { readonly weight: number; readonly reasons: readonly Weakness[] }[] = [
  { weight: 5, reasons: ['COMMON_BASE_WORD'] },
  { weight: 2, reasons: ['TOO_SHORT'] },
  { weight: 2, reasons: ['COMMON_BASE_WORD', 'TOO_SHORT'] },
  { weight: 1, reasons: ['RESTRICTED_WORD'] },
]

/** A password that is better or worse; what is reused was mostly thought up in a hurry. */
function makePassword(random: SeededRandom, weak: number, leaked: number): SimulatedPassword {
  const isWeak = random.chance(weak)
  return {
    passwordId: randomUuid(random),
    weakReasons: isWeak ? [...random.weighted(weaknesses).reasons] : [],
    leaked: random.chance(isWeak ? 0.35 : leaked),
    stolen: false,
  }
}

/** Most people let a manager fill passwords in; some type all of them. */
export function passwordHabits(random: SeededRandom): PasswordHabits {
  const manager = random.chance(0.7)
  return {
    typing: manager ? 0.08 : 0.85,
    reuse: random.chance(manager ? 0.1 : 0.35) ? 0.6 : 0.04,
    usual: { ...makePassword(random, 0.3, 0.06), stolen: random.chance(0.5) },
  }
}

/** The password of an app: the usual one, or one of its own. */
export const passwordFor = (random: SeededRandom, { reuse, usual }: PasswordHabits): SimulatedPassword =>
  random.chance(reuse) ? usual : makePassword(random, 0.06, 0.015)

/** What is chosen when somebody is asked to mend a bad one. */
export const goodPassword = (random: SeededRandom): SimulatedPassword => makePassword(random, 0, 0)
