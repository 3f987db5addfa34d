import type { PasswordFacts } from '@muster/contract/agent/agent-event'
import type { Account, removableLoginMethods } from '@muster/contract/records/account'
import type { Controls } from '@muster/contract/records/controls'
import type { Finding } from '@muster/contract/records/finding'
import type { FindingVerdict } from './finding-verdict.ts'

/** Last use of an account by an employee. Merged employees count as their primary. */
export interface SharedUse {
  readonly employeeId: string
  /** UNIX seconds; null if never seen. */
  readonly lastUsed: number | null
}

/** Account that has a password. */
interface PasswordHolder {
  /** Apps that share their accounts have the same place (see `accountSystemOf`). */
  readonly place: string
}

/** Login with a password: time in UNIX seconds, and whether the password was typed by hand. */
export type TypedLogin = readonly [timestamp: number, typed: boolean]

export type Thresholds = Controls['thresholds']

/** Password of the latest login to an account. */
interface PasswordLoginInput {
  readonly password: Pick<PasswordFacts, 'passwordId' | 'weakReasons' | 'leaked' | 'stolenIds'>
  /** Password that the existing finding is about; null without one. */
  readonly foundPasswordId: string | null
}

export interface AccountInput {
  readonly account: Pick<
    Account,
    'loginMethods' | 'mfaRegistered' | 'lastUsedTimestamp' | 'creationTimestamp'
  >
  readonly uses: readonly SharedUse[]
  readonly nowSeconds: number
  readonly thresholds: Thresholds
}

interface PasswordHoldersInput {
  readonly passwordId: string | null
  /** All accounts that have the password, of catalog apps and others. */
  readonly holders: readonly PasswordHolder[]
}

interface TypedLoginsInput {
  readonly logins: readonly TypedLogin[]
  readonly thresholds: Thresholds
}

/** Occasions on which findings are evaluated, with the data that decisions get. */
interface TriggerInputs {
  /** An account was signed in to with a password. */
  readonly PASSWORD_LOGIN: PasswordLoginInput
  /** An account was signed in to in any way. */
  readonly ACCOUNT_USED: AccountInput
  /** Users of an account were merged, unmerged or erased. */
  readonly ACCOUNT_USERS_CHANGED: AccountInput
  /** The daily job found an account whose findings may have changed by time alone. */
  readonly TIME_PASSED: AccountInput
  /** An account got a password or lost it. */
  readonly PASSWORD_HOLDERS_CHANGED: PasswordHoldersInput
  /** An employee signed in with a password, was merged or unmerged. */
  readonly TYPED_LOGINS_CHANGED: TypedLoginsInput
}

export type FindingTrigger = keyof TriggerInputs

/** Declaration of a finding type (domain contract, section 5). */
export interface FindingType<T extends FindingTrigger = FindingTrigger> {
  readonly type: Finding['type']
  readonly subject: 'ACCOUNT' | 'EMPLOYEE'
  readonly triggers: readonly T[]
  /** Severity of the finding in streams while it is open. */
  readonly severity: 'HIGH' | 'MEDIUM' | 'LOW'
  /** Login method without which the finding cannot hold: removing the method from an account resolves it. */
  readonly resolvesWithout?: (typeof removableLoginMethods)[number]
  /** @returns undefined if the finding stays as it is */
  decide(input: TriggerInputs[T]): FindingVerdict | undefined
}

/** Declares a finding type; infers the triggers. */
export const findingType = <T extends FindingTrigger>(declaration: FindingType<T>): FindingType<T> =>
  declaration
