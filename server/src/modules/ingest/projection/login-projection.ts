import type { LoginEvent } from '@muster/contract/agent/agent-event'
import { accountSystemOf } from '@muster/contract/password-facts/account-systems'
import { type Account, accounts } from '@muster/contract/records/account'
import { type AccountOther, accountsOther } from '@muster/contract/records/account-other'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { yieldToEventLoop } from '../../../kernel/lib/process/yield-to-event-loop.ts'
import { type Draft, writeDrafts } from '../../../kernel/store/record-drafts.ts'
import { isRemovedSince } from '../../accounts/accounts.rules.ts'
import { otherTypedLoginHistories } from '../../employees/typed-logins.ts'
import { evaluateAccount } from '../../findings/account-findings.ts'
import { type FindingWriter, openFindingWriter } from '../../findings/finding-writer.ts'
import { evaluateReusedPasswords } from '../../findings/reused-passwords.ts'
import type { TypedLogin } from '../../findings/types/finding-type.ts'
import { findingTypesFor } from '../../findings/types/finding-types.ts'
import {
  latestTypedLogins,
  parseTypedLoginHistory,
  passwordManagerNotUsed,
  type TypedLoginHistory,
} from '../../findings/types/password-manager-not-used.ts'
import { type BatchContext, derivedIdFor, firstEvent } from '../batch-context.ts'
import { type AccountUses, loadUses } from './account-uses.ts'
import type { AppPlaces } from './app-places.ts'
import { isCurrentPassword, methodsAfterLogin, mfaAfterLogin } from './login.rules.ts'
import { findLoginAccounts, type LoginAccounts } from './login-accounts.ts'

/** Changes that the logins of a batch make to the inventory. */
export interface LoginProjection {
  readonly accounts: LoginAccounts
  write(): Promise<void>
}

/** Projects the logins of a batch to accounts, their users and their findings (domain contract, sections 4 and 5). */
export async function projectLogins(context: BatchContext, places: AppPlaces): Promise<LoginProjection> {
  const { tx, batch, nowSeconds } = context
  const touched = await findLoginAccounts(context, places)
  const known = touched.accounts.filter(({ stored }) => stored !== undefined).map(({ id }) => id)
  const writer = openFindingWriter(tx, batch.org, nowSeconds, (type, subjectId) =>
    derivedIdFor(context, firstEvent(context), 'finding', `${type} ${subjectId}`),
  )
  const [uses] = await allSettledOrThrow([loadUses(context, known), writer.loadAccounts(known)])
  await yieldToEventLoop()
  const passwordIds = new Set<string>()
  for (const item of touched.logins) {
    const changedIds =
      'account' in item
        ? applyAccountLogin(context, item.account, item.login, uses, writer)
        : applyOtherLogin(item.other, item.login)
    for (const id of changedIds) passwordIds.add(id)
  }
  const { catalog, controls } = context.settings
  await evaluateReusedPasswords(tx, batch.org, writer, [...passwordIds], {
    accounts: touched.accounts,
    others: touched.others,
    catalog,
    domainOf: places.domainOf,
  })
  const { thresholds } = controls
  for (const account of touched.accounts)
    evaluateAccount(writer, 'ACCOUNT_USED', account, { uses: uses.of(account.id), nowSeconds, thresholds })
  await evaluateTypedLogins(
    context,
    touched.logins.map(({ login }) => login),
    writer,
  )
  return {
    accounts: touched,
    write: async () => {
      await allSettledOrThrow([
        writeDrafts(tx, accounts, batch.org, touched.accounts, nowSeconds),
        writeDrafts(tx, accountsOther, batch.org, touched.others, nowSeconds),
        uses.write(),
        writer.write(),
      ])
    },
  }
}

/** @returns IDs of passwords whose reuse may have changed */
function applyAccountLogin(
  { settings }: BatchContext,
  account: Draft<Account>,
  login: LoginEvent,
  uses: AccountUses,
  writer: FindingWriter,
): string[] {
  const before = account.record
  const { lastPasswordLoginTimestamp } = before.loginMethods
  const isRemoved = isRemovedSince(account.internal.methodsRemoved, login)
  const isLate =
    isRemoved || (lastPasswordLoginTimestamp !== null && login.timestamp < lastPasswordLoginTimestamp)
  const { loginsWithoutMfa, withoutMfaSince } = account.internal
  const mfa = mfaAfterLogin(
    {
      mfaRegistered: before.mfaRegistered,
      mfaMethods: before.mfaMethods,
      loginsWithout: Number(loginsWithoutMfa ?? 0),
      withoutSince: typeof withoutMfaSince === 'number' ? withoutMfaSince : null,
    },
    login,
    isLate,
    settings.controls.thresholds.passwordLoginsWithoutMfa,
  )
  const password = !isRemoved && isCurrentPassword(before.loginMethods, login) ? login.password : null
  account.record = {
    ...before,
    mfaRegistered: mfa.mfaRegistered,
    mfaMethods: mfa.mfaMethods,
    passwordId: password?.passwordId ?? before.passwordId,
    loginMethods: isRemoved ? before.loginMethods : methodsAfterLogin(before.loginMethods, login),
    lastUsedTimestamp: Math.max(before.lastUsedTimestamp ?? 0, login.timestamp),
  }
  account.internal = {
    ...account.internal,
    loginsWithoutMfa: mfa.loginsWithout,
    withoutMfaSince: mfa.withoutSince,
  }
  uses.add(account.id, login)
  if (password === null) return []
  for (const { type, decide } of findingTypesFor('PASSWORD_LOGIN')) {
    const foundPasswordId = writer.findingOf(type, account.id)?.passwordId ?? null
    writer.applyToAccount(type, account, decide({ password, foundPasswordId }))
  }
  const changed = changedPasswordIds(before.passwordId, password.passwordId)
  // A release or a change of the catalog can change which apps share accounts: evaluate open findings again.
  const isReused = findingTypesFor('PASSWORD_HOLDERS_CHANGED').some(
    ({ type }) => writer.findingOf(type, account.id)?.state === 'OPEN',
  )
  return isReused && accountSystemOf(settings.catalog, before.appType)
    ? [...changed, password.passwordId]
    : changed
}

function applyOtherLogin(account: Draft<AccountOther>, login: LoginEvent): string[] {
  const before = account.record
  const password = isCurrentPassword(before.loginMethods, login) ? login.password : null
  account.record = {
    ...before,
    loginMethods: methodsAfterLogin(before.loginMethods, login),
    lastUsedTimestamp: Math.max(before.lastUsedTimestamp ?? 0, login.timestamp),
  }
  if (password === null) return []
  const known = account.internal.passwordId
  account.internal = { ...account.internal, passwordId: password.passwordId }
  return changedPasswordIds(typeof known === 'string' ? known : null, password.passwordId)
}

const changedPasswordIds = (before: string | null, after: string): string[] =>
  before === after ? [] : [...(before === null ? [] : [before]), after]

/** Stores which passwords the employee typed by hand and evaluates the finding that depends on it. */
async function evaluateTypedLogins(
  { tx, batch, employee, primary, settings }: BatchContext,
  logins: readonly LoginEvent[],
  writer: FindingWriter,
): Promise<void> {
  const typed = logins.flatMap(({ timestamp, loginType, password }): TypedLogin[] =>
    loginType === 'PASSWORD_LOGIN' && password !== null && password.manuallyTyped !== null
      ? [[timestamp, password.manuallyTyped]]
      : [],
  )
  if (typed.length === 0) return
  const before = parseTypedLoginHistory(employee.internal.typedHistory)
  const own = latestTypedLogins([...before.logins, ...typed])
  const others = await otherTypedLoginHistories(tx, batch.org, primary, employee.id)
  const all = latestTypedLogins([...own, ...others.flatMap((history) => history.logins)])
  const { thresholds } = settings.controls
  const verdict = passwordManagerNotUsed.decide({ logins: all, thresholds })
  const settled = others.length > 0 ? undefined : (verdict?.open ?? before.settled)
  employee.internal = {
    ...employee.internal,
    typedHistory: JSON.stringify({ logins: own, settled } satisfies TypedLoginHistory),
  }
  // Skip the read of the findings if the verdict is the stored one.
  if (verdict === undefined || (settled !== undefined && settled === before.settled)) return
  await writer.loadEmployee(primary.id)
  writer.applyToEmployee(passwordManagerNotUsed.type, primary.id, verdict)
}
