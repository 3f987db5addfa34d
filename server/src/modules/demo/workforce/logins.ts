import type { LoginEvent, PasswordFacts } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import type { AppUse } from './app-uses.ts'
import type { Unnamed } from './attacks.ts'
import { goodPassword, type PasswordHabits, type SimulatedPassword } from './password-habits.ts'

/** Sessions as short as this are over whenever the browser is started anew. */
const overAtRestart = 7
/** From 0 to 1: how likely a session that is due ends on a day on which the browser goes on. */
const endsInTheMiddle = 0.04

/** The sessions of one browser. */
export interface Sessions {
  /** The accounts that are signed in to on a day, which counts as done. Days must be asked for in their order. */
  takeDue(day: number, restarted: boolean): AppUse[]
}

/** Keeps when each account was last signed in to; the browser's sessions were begun before it was looked on. */
export function sessionsOf(random: SeededRandom, uses: readonly AppUse[], fromDay: number): Sessions {
  const lastLogins = new Map(uses.map((use) => [use, fromDay - random.below(use.sessionDays)]))
  const isDue = (use: AppUse, day: number, restarted: boolean): boolean => {
    if (day < use.fromDay || day > use.untilDay) return false
    const age = day - (lastLogins.get(use) ?? 0)
    if (restarted && use.sessionDays <= overAtRestart) return true
    // Most people sign in where they have to when they start anew; few sessions end in the middle.
    return age >= use.sessionDays && (restarted || random.chance(endsInTheMiddle))
  }
  return {
    takeDue(day, restarted) {
      const due = uses.filter((use) => isDue(use, day, restarted))
      for (const use of due) lastLogins.set(use, day)
      return due
    },
  }
}

/** Logins of one browser. */
export interface LoginReports {
  /** What is told when an account is signed in to. */
  take(use: AppUse, day: number, timestamp: number, policy: AgentPolicy): Unnamed<LoginEvent>
}

/** From 0 to 1: how likely a password that is known to be stolen is changed before the next login. */
const changesStolen = 0.5

/** Tells logins as the agent does: what is wrong with a password, and never the password. */
export function loginReports(random: SeededRandom, habits: PasswordHabits): LoginReports {
  const changed = new Map<AppUse, SimulatedPassword>()

  const factsOf = (use: AppUse, password: SimulatedPassword, policy: AgentPolicy): PasswordFacts => {
    const stolenIds = password.stolen ? policy.stolenCredentials.slice(0, 1).map(({ id }) => id) : []
    if (stolenIds.length > 0 && random.chance(changesStolen)) changed.set(use, goodPassword(random))
    return {
      passwordId: password.passwordId,
      manuallyTyped: random.chance(0.03) ? null : random.chance(habits.typing),
      weakReasons: [...password.weakReasons],
      leaked: policy.leakedLookup ? password.leaked : null,
      reused: password === habits.usual,
      stolenIds,
    }
  }

  return {
    take(use, day, timestamp, policy) {
      const password = changed.get(use) ?? use.passwordOn(day)
      const factor = use.factorOn(day)
      return {
        kind: 'LOGIN',
        timestamp,
        loginUrl: `https://${use.host}/login`,
        email: use.email,
        ...use.signIn,
        password: password ? factsOf(use, password, policy) : null,
        mfa: factor && random.chance(0.85) ? factor : null,
      }
    },
  }
}
