import type { LoginEvent } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { SeededRandom } from '../lib/seeded-random.ts'
import type { AppUse } from './app-uses.ts'
import type { Unnamed } from './attacks.ts'
import type { PasswordHabits } from './password-habits.ts'

/** Sessions as short as this are over whenever the browser is started anew. */
const overAtRestart = 7

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
    // Most people sign in where they have to when they start anew.
    return age >= use.sessionDays && (restarted || age >= use.sessionDays + 3 || random.chance(0.25))
  }
  return {
    takeDue(day, restarted) {
      const due = uses.filter((use) => isDue(use, day, restarted))
      for (const use of due) lastLogins.set(use, day)
      return due
    },
  }
}

/** A login as the agent reports it. */
export function loginEvent(
  random: SeededRandom,
  habits: PasswordHabits,
  use: AppUse,
  policy: AgentPolicy,
  day: number,
  timestamp: number,
): Unnamed<LoginEvent> {
  const password = use.passwordOn(day)
  const factor = use.factorOn(day)
  return {
    kind: 'LOGIN',
    timestamp,
    loginUrl: `https://${use.host}/login`,
    email: use.email,
    ...use.signIn,
    password: password
      ? {
          passwordId: password.passwordId,
          manuallyTyped: random.chance(0.03) ? null : random.chance(habits.typing),
          weakReasons: [...password.weakReasons],
          leaked: policy.leakedLookup ? password.leaked : null,
          reused: password === habits.usual,
          stolenIds: password.stolen ? policy.stolenCredentials.slice(0, 1).map(({ id }) => id) : [],
        }
      : null,
    mfa: factor && random.chance(0.85) ? factor : null,
  }
}
