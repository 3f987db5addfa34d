import type { Account } from '@muster/contract/account'
import type { Employee } from '@muster/contract/employee'
import { type Finding, weakPasswordReasons } from '@muster/contract/finding'
import type { DemoAccounts, DemoUse } from './demo-accounts.ts'
import { byCreation, type DemoWorld, daySeconds } from './demo-world.ts'

type About = Partial<
  Pick<Finding, 'employeeId' | 'passwordId' | 'accountId' | 'appType' | 'appId' | 'weakPasswordReasons'>
>

/** What is wrong with how the people sign in: it follows from their accounts, as it would in earnest. */
export function demoFindings(
  world: DemoWorld,
  people: readonly Employee[],
  { accounts, uses }: DemoAccounts,
): Finding[] {
  const { random } = world
  const usersOf = Map.groupBy(uses, ({ accountId }) => accountId)
  const accountsByPassword = Map.groupBy(accounts, ({ passwordId }) => passwordId)
  const findings: Finding[] = []
  const add = (type: Finding['type'], from: number, about: About, open = true) =>
    findings.push(finding(world, type, from, about, open))
  for (const account of accounts) {
    const about = aboutAccount(account)
    const since = account.creationTimestamp
    if (isShared(usersOf.get(account.id) ?? [], world.nowSeconds)) add('SHARED_ACCOUNT', since, about)
    if (isForgotten(account, world.nowSeconds))
      add('UNUSED_THIRD_PARTY_APP', (account.lastUsedTimestamp ?? since) + 90 * daySeconds, about)
    if (account.passwordId === null) continue
    const reasons = weaknessOf(account.passwordId)
    if (reasons) add('WEAK_PASSWORD', since, { ...about, weakPasswordReasons: reasons })
    if (account.mfaRegistered === false) add('MFA_NOT_REGISTERED', since, about)
    else if (account.mfaRegistered && random.chance(0.1)) add('MFA_NOT_REGISTERED', since, about, false)
    const apps = new Set((accountsByPassword.get(account.passwordId) ?? []).map(({ appId }) => appId))
    if (apps.size > 1) add('REUSED_PASSWORD', since, about)
    if (lastDigits(account.passwordId) % 31 === 0) add('LEAKED_PASSWORD', since, about)
    if (lastDigits(account.passwordId) % 97 === 0) add('STOLEN_CREDENTIALS', since, about, random.chance(0.8))
  }
  const usesOf = Map.groupBy(uses, ({ employeeId }) => employeeId)
  for (const { id, creationTimestamp } of people) {
    if (typesByHand(usesOf.get(id) ?? []))
      add('PASSWORD_MANAGER_NOT_USED', creationTimestamp + 7 * daySeconds, { employeeId: id })
  }
  return byCreation(findings)
}

const aboutAccount = ({ id, employeeId, passwordId, appType, appId }: Account): About => ({
  employeeId,
  passwordId,
  accountId: id,
  appType,
  appId,
})

function finding(
  world: DemoWorld,
  type: Finding['type'],
  from: number,
  about: About,
  open: boolean,
): Finding {
  const creationTimestamp = Math.min(from + world.random.below(daySeconds), world.nowSeconds - 60)
  return {
    id: world.idAt(creationTimestamp),
    type,
    state: open ? 'OPEN' : 'RESOLVED',
    employeeId: about.employeeId ?? null,
    passwordId:
      type === 'SHARED_ACCOUNT' || type === 'UNUSED_THIRD_PARTY_APP' ? null : (about.passwordId ?? null),
    accountId: about.accountId ?? null,
    appType: about.appType ?? null,
    appId: about.appId ?? null,
    weakPasswordReasons: about.weakPasswordReasons ?? null,
    creationTimestamp,
    lastUpdatedTimestamp: open ? creationTimestamp : world.between(creationTimestamp, world.nowSeconds),
  }
}

/** What is wrong with a password depends on the password alone, wherever it is used. */
const lastDigits = (passwordId: string): number => Number.parseInt(passwordId.slice(-6), 16)

function weaknessOf(passwordId: string): Finding['weakPasswordReasons'] {
  const digits = lastDigits(passwordId)
  if (digits % 9 !== 0) return null
  const reasons = weakPasswordReasons.filter((_, at) => (digits >> at) % 2 === 1)
  return reasons.length > 0 ? reasons : ['COMMON_BASE_WORD']
}

const isShared = (users: readonly DemoUse[], nowSeconds: number): boolean =>
  users.filter(({ lastUsedTimestamp }) => lastUsedTimestamp >= nowSeconds - 90 * daySeconds).length > 1

const isForgotten = ({ loginMethods, lastUsedTimestamp }: Account, nowSeconds: number): boolean =>
  loginMethods.oidcLogin !== null && (lastUsedTimestamp ?? 0) < nowSeconds - 90 * daySeconds

/** At least four of the last five logins by password were typed by hand. */
function typesByHand(uses: readonly DemoUse[]): boolean {
  const last = uses
    .filter(({ passwordManuallyTyped }) => passwordManuallyTyped !== null)
    .sort((one, other) => other.lastUsedTimestamp - one.lastUsedTimestamp)
    .slice(0, 5)
  return last.filter(({ passwordManuallyTyped }) => passwordManuallyTyped).length >= 4
}
