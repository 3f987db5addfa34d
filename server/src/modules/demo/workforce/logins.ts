import type { LoginEvent, PasswordFacts } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import type { AppUse } from './app-uses.ts'
import type { Unnamed } from './attacks.ts'
import { goodPassword, type PasswordHabits, type SimulatedPassword } from './password-habits.ts'

/** Sessions up to this many days end when the browser restarts. */
const endsAtRestartDays = 7
/** Probability that a due session ends on a day without a restart. */
const endsWithoutRestart = 0.04

/** Sessions of one browser. */
export interface Sessions {
  /**
   * Returns the accounts that are signed in to on a day and marks them as done. Days must be requested in
   * order.
   */
  takeDue(day: number, restarted: boolean): AppUse[]
}

/**
 * Tracks the last login of each account. Sessions began before the first simulated day.
 *
 * @param activity share of the usual logins between restarts, from 0 to 1
 */
export function sessionsOf(
  random: SeededRandom,
  uses: readonly AppUse[],
  fromDay: number,
  activity: number,
): Sessions {
  const lastLogins = new Map(uses.map((use) => [use, fromDay - random.below(use.sessionDays)]))
  const isDue = (use: AppUse, day: number, restarted: boolean): boolean => {
    if (day < use.fromDay || day > use.untilDay) return false
    const age = day - (lastLogins.get(use) ?? 0)
    if (restarted && use.sessionDays <= endsAtRestartDays) return true
    // Most sessions end at a restart; few end in between.
    return age >= use.sessionDays && (restarted || random.chance(endsWithoutRestart * activity))
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
  /** Returns the event of a login. */
  take(use: AppUse, day: number, timestamp: number, policy: AgentPolicy): Unnamed<LoginEvent>
}

/** Probability that a stolen password is changed before the next login. */
const changesStolenPassword = 0.5

/** Reports logins like the agent: facts about the password, never the password. */
export function loginReports(random: SeededRandom, habits: PasswordHabits): LoginReports {
  const changed = new Map<AppUse, SimulatedPassword>()

  const factsOf = (use: AppUse, password: SimulatedPassword, policy: AgentPolicy): PasswordFacts => {
    const stolenIds = password.stolen ? policy.stolenCredentials.slice(0, 1).map(({ id }) => id) : []
    if (stolenIds.length > 0 && random.chance(changesStolenPassword)) changed.set(use, goodPassword(random))
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
