import { type AccountUser, usedBy } from '@muster/contract/account'
import type { LoginEvent } from '@muster/contract/agent-event'
import { type Draft, draftOf, newDraft, writeDrafts } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues } from '../../../kernel/store/records.ts'
import { lastUse } from '../../employees/last-use.rules.ts'
import { asSharedUse } from '../../employees/shared-accounts.ts'
import type { SharedUse } from '../../findings/types/shared-account.ts'
import type { BatchContext } from '../batch-context.ts'

/** Who uses the accounts of a batch. */
export interface AccountUses {
  /** Remembers a login of the batch's employee. */
  add(accountId: string, login: LoginEvent): void
  /** Who used an account, as shown, and when last. */
  of(accountId: string): SharedUse[]
  write(): Promise<void>
}

type Use = Draft<AccountUser>

/**
 * Loads who uses the accounts that are there already.
 */
export async function loadUses(context: BatchContext, accountIds: readonly string[]): Promise<AccountUses> {
  const { tx, batch, shown, nowSeconds } = context
  const uses = new Map<string, Use[]>()
  const stored =
    accountIds.length === 0
      ? []
      : await getRecordsByValues(tx, usedBy, batch.org, 'accountId', accountIds.toSorted())
  for (const one of stored.toSorted((a, b) => a.seq - b.seq)) push(uses, draftOf(one))

  return {
    add: (accountId, login) => {
      const known = uses.get(accountId)?.find(({ internal }) => internal.owner === batch.employeeId)
      const use = known ?? newUse(accountId, batch.employeeId, shown.id)
      if (!known) push(uses, use)
      use.internal = { ...use.internal, ...observed(use, login) }
      render((uses.get(accountId) ?? []).filter(({ internal }) => internal.employeeId === shown.id))
    },
    of: (accountId) => (uses.get(accountId) ?? []).map(asSharedUse),
    write: () => writeDrafts(tx, usedBy, batch.org, [...uses.values()].flat(), nowSeconds),
  }
}

function push(uses: Map<string, Use[]>, use: Use): void {
  const accountId = String(use.internal.accountId)
  const list = uses.get(accountId)
  if (list) list.push(use)
  else uses.set(accountId, [use])
}

const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)

/** The id that import gives the row of an account and an employee, too: there is one of each. */
const newUse = (accountId: string, observedId: string, shownId: string): Use =>
  newDraft<AccountUser>(
    `${accountId}:${observedId}`,
    { employeeId: shownId, lastUsedTimestamp: null, passwordManuallyTyped: null },
    { accountId, employeeId: shownId, owner: observedId, observedLastUsed: null, observedTyped: null },
  )

/** The last use, and how the password of the last login came. A login that is reported late changes neither. */
function observed({ internal }: Use, { timestamp, loginType, password }: LoginEvent) {
  const last = numberOrNull(internal.observedLastUsed)
  if (last !== null && timestamp < last) return {}
  const typed = loginType === 'PASSWORD_LOGIN' ? (password?.manuallyTyped ?? null) : null
  return { observedLastUsed: timestamp, observedTyped: typed === null ? null : Number(typed) }
}

/** The rows of one person on an account show the same, and the first of them is listed. */
function render(rows: readonly Use[]): void {
  const [first] = rows
  if (first === undefined) return
  const record = lastUse(String(first.internal.employeeId), rows)
  rows.forEach((row, at) => {
    if (!sameUse(row.record, record)) row.record = record
    row.hidden = at > 0
  })
}

const sameUse = (one: AccountUser, other: AccountUser): boolean =>
  one.employeeId === other.employeeId &&
  one.lastUsedTimestamp === other.lastUsedTimestamp &&
  one.passwordManuallyTyped === other.passwordManuallyTyped
