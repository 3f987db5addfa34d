import type { FindingTrigger, FindingType } from './finding-type.ts'
import { leakedPassword } from './leaked-password.ts'
import { mfaNotRegistered } from './mfa-not-registered.ts'
import { passwordManagerNotUsed } from './password-manager-not-used.ts'
import { reusedPassword } from './reused-password.ts'
import { sharedAccount } from './shared-account.ts'
import { stolenPassword } from './stolen-password.ts'
import { unusedThirdPartyApp } from './unused-third-party-app.ts'
import { weakPassword } from './weak-password.ts'

/** All finding types. Types with the same trigger create their findings in this order. */
export const findingTypes: readonly FindingType[] = [
  weakPassword,
  leakedPassword,
  stolenPassword,
  reusedPassword,
  mfaNotRegistered,
  sharedAccount,
  unusedThirdPartyApp,
  passwordManagerNotUsed,
]

const byTrigger = new Map<FindingTrigger, FindingType[]>()
for (const declaration of findingTypes)
  for (const trigger of declaration.triggers)
    byTrigger.set(trigger, [...(byTrigger.get(trigger) ?? []), declaration])

/** Returns the finding types to evaluate on a trigger. */
export const findingTypesFor = <T extends FindingTrigger>(trigger: T): readonly FindingType<T>[] =>
  (byTrigger.get(trigger) ?? []) as readonly unknown[] as readonly FindingType<T>[]

const severities = new Map<string, FindingType['severity']>(
  findingTypes.map(({ type, severity }) => [type, severity]),
)

/** Returns the severity of an open finding. */
export const findingSeverity = (type: string): FindingType['severity'] => severities.get(type) ?? 'MEDIUM'
