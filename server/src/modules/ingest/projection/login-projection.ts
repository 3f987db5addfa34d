import { type Account, accounts } from '@muster/contract/account'
import { type AccountOther, accountsOther } from '@muster/contract/account-other'
import type { LoginEvent } from '@muster/contract/agent-event'
import { accountSystemOf } from '@muster/contract/password-facts/account-systems'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { yieldToEventLoop } from '../../../kernel/lib/process/yield-to-event-loop.ts'
import { type Draft, writeDrafts } from '../../../kernel/store/drafts.ts'
import { isRemovedSince } from '../../accounts/accounts.rules.ts'
import { type FindingBook, openFindingBook } from '../../findings/finding-book.ts'
import { settleReuse } from '../../findings/password-reuse.ts'
import { leakedPassword } from '../../findings/types/leaked-password.ts'
import { mfaNotRegistered } from '../../findings/types/mfa-not-registered.ts'
import { sharedAccount } from '../../findings/types/shared-account.ts'
import { stolenPassword } from '../../findings/types/stolen-password.ts'
import { unusedThirdPartyApp } from '../../findings/types/unused-third-party-app.ts'
import { weakPassword } from '../../findings/types/weak-password.ts'
import { type BatchContext, firstEvent, idFrom } from '../batch-context.ts'
import { type AccountUses, loadUses } from './account-uses.ts'
import type { AppPlaces } from './app-places.ts'
import { methodsAfterLogin, mfaAfterLogin, tellsPassword } from './login.rules.ts'
import { findLoginAccounts, type LoginAccounts } from './login-accounts.ts'
import { settleTypedLogins } from './typed-history.ts'

/** What the logins of a batch have done to the inventory. */
export interface LoginProjection {
  readonly accounts: LoginAccounts
  write(): Promise<void>
}

/** Brings the logins of a batch into accounts, their users and their findings (domain contract, sections 4 and 5). */
export async function projectLogins(context: BatchContext, places: AppPlaces): Promise<LoginProjection> {
  const { tx, batch, nowSeconds } = context
  const touched = await findLoginAccounts(context, places)
  const known = touched.accounts.filter(({ stored }) => stored !== undefined).map(({ id }) => id)
  const book = openFindingBook(tx, batch.org, nowSeconds, (type, subjectId) =>
    idFrom(context, firstEvent(context), 'finding', `${type} ${subjectId}`),
  )
  const [uses] = await allSettledOrThrow([loadUses(context, known), book.loadAccounts(known)])
  await yieldToEventLoop()
  const passwordIds = new Set<string>()
  for (const item of touched.logins) {
    const passwordId =
      'account' in item
        ? applyToAccount(context, item.account, item.login, uses, book)
        : applyToOther(item.other, item.login)
    for (const id of passwordId) passwordIds.add(id)
  }
  const { catalog } = context.terms
  await settleReuse(tx, batch.org, book, [...passwordIds], {
    ...touched,
    catalog,
    domainOf: places.domainOf,
  })
  for (const account of touched.accounts) settleStates(context, account, uses, book)
  await settleTypedLogins(
    context,
    touched.logins.map(({ login }) => login),
    book,
  )
  return {
    accounts: touched,
    write: async () => {
      await allSettledOrThrow([
        writeDrafts(tx, accounts, batch.org, touched.accounts, nowSeconds),
        writeDrafts(tx, accountsOther, batch.org, touched.others, nowSeconds),
        uses.write(),
        book.write(),
      ])
    },
  }
}

/** @returns the passwords whose reuse may have changed */
function applyToAccount(
  { terms }: BatchContext,
  account: Draft<Account>,
  login: LoginEvent,
  uses: AccountUses,
  book: FindingBook,
): string[] {
  const before = account.record
  const { lastPasswordLoginTimestamp } = before.loginMethods
  const isRemoved = isRemovedSince(account.privates.methodsRemoved, login)
  const isLate =
    isRemoved || (lastPasswordLoginTimestamp !== null && login.timestamp < lastPasswordLoginTimestamp)
  const { loginsWithoutMfa, withoutMfaSince } = account.privates
  const mfa = mfaAfterLogin(
    {
      ...before,
      loginsWithout: Number(loginsWithoutMfa ?? 0),
      withoutSince: typeof withoutMfaSince === 'number' ? withoutMfaSince : null,
    },
    login,
    isLate,
    terms.controls.thresholds.passwordLoginsWithoutMfa,
  )
  const password = !isRemoved && tellsPassword(before.loginMethods, login) ? login.password : null
  account.record = {
    ...before,
    mfaRegistered: mfa.mfaRegistered,
    mfaMethods: mfa.mfaMethods,
    passwordId: password?.passwordId ?? before.passwordId,
    loginMethods: isRemoved ? before.loginMethods : methodsAfterLogin(before.loginMethods, login),
    lastUsedTimestamp: Math.max(before.lastUsedTimestamp ?? 0, login.timestamp),
  }
  account.privates = {
    ...account.privates,
    loginsWithoutMfa: mfa.loginsWithout,
    withoutMfaSince: mfa.withoutSince,
  }
  uses.add(account.id, login)
  if (password === null) return []
  const stolen = book.ofAccount('STOLEN_CREDENTIALS', account.id)
  book.settleAccount('WEAK_PASSWORD', account, weakPassword(password))
  book.settleAccount('LEAKED_PASSWORD', account, leakedPassword(password))
  book.settleAccount('STOLEN_CREDENTIALS', account, stolenPassword(password, stolen?.passwordId ?? null))
  const changed = changedIds(before.passwordId, password.passwordId)
  // Which apps share accounts changes with a release and with the catalog.
  const isOpen = book.ofAccount('REUSED_PASSWORD', account.id)?.state === 'OPEN'
  return isOpen && accountSystemOf(terms.catalog, before.appType)
    ? [...changed, password.passwordId]
    : changed
}

function applyToOther(account: Draft<AccountOther>, login: LoginEvent): string[] {
  const before = account.record
  const password = tellsPassword(before.loginMethods, login) ? login.password : null
  account.record = {
    ...before,
    loginMethods: methodsAfterLogin(before.loginMethods, login),
    lastUsedTimestamp: Math.max(before.lastUsedTimestamp ?? 0, login.timestamp),
  }
  if (password === null) return []
  const known = account.privates.passwordId
  account.privates = { ...account.privates, passwordId: password.passwordId }
  return changedIds(typeof known === 'string' ? known : null, password.passwordId)
}

const changedIds = (before: string | null, after: string): string[] =>
  before === after ? [] : [...(before === null ? [] : [before]), after]

/** The findings that follow from what an account has become. */
function settleStates(
  { nowSeconds, terms }: BatchContext,
  account: Draft<Account>,
  uses: AccountUses,
  book: FindingBook,
): void {
  const { sharedAccountDays, unusedAppDays } = terms.controls.thresholds
  book.settleAccount('MFA_NOT_REGISTERED', account, mfaNotRegistered(account.record))
  book.settleAccount(
    'SHARED_ACCOUNT',
    account,
    sharedAccount(uses.of(account.id), nowSeconds, sharedAccountDays),
  )
  book.settleAccount(
    'UNUSED_THIRD_PARTY_APP',
    account,
    unusedThirdPartyApp(account.record, nowSeconds, unusedAppDays),
  )
}
