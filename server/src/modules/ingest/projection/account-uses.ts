import type { LoginEvent } from '@muster/contract/agent/agent-event'
import { type AccountUser, usedBy } from '@muster/contract/records/account'
import { type Draft, draftOf, newDraft, writeDrafts } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues } from '../../../kernel/store/records.ts'
import { lastUse } from '../../employees/employees.rules.ts'
import { toSharedUse } from '../../findings/account-findings.ts'
import type { SharedUse } from '../../findings/types/finding-type.ts'
import type { BatchContext } from '../batch-context.ts'

/** Uses of the accounts in a batch. */
export interface AccountUses {
  /** Adds a login of the batch's employee. */
  add(accountId: string, login: LoginEvent): void
  /** Returns the last use of an account by each employee; merged employees count as their primary. */
  of(accountId: string): SharedUse[]
  write(): Promise<void>
}

type Use = Draft<AccountUser>

/** Loads the uses of stored accounts. */
export async function loadUses(context: BatchContext, accountIds: readonly string[]): Promise<AccountUses> {
  const { tx, batch, primary, nowSeconds } = context
  const uses = new Map<string, Use[]>()
  const stored =
    accountIds.length === 0
      ? []
      : await getRecordsByValues(tx, usedBy, batch.org, 'accountId', accountIds.toSorted())
  for (const one of stored.toSorted((a, b) => a.seq - b.seq)) push(uses, draftOf(one))

  return {
    add: (accountId, login) => {
      const known = uses.get(accountId)?.find(({ internal }) => internal.owner === batch.employeeId)
      const use = known ?? newUse(accountId, batch.employeeId, primary.id)
      if (!known) push(uses, use)
      use.internal = { ...use.internal, ...observedLogin(use, login) }
      updateRecords((uses.get(accountId) ?? []).filter(({ internal }) => internal.employeeId === primary.id))
    },
    of: (accountId) => (uses.get(accountId) ?? []).map(toSharedUse),
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

/** Uses the same ID as the import: one row per account and employee. */
const newUse = (accountId: string, observedId: string, primaryId: string): Use =>
  newDraft<AccountUser>(
    `${accountId}:${observedId}`,
    { employeeId: primaryId, lastUsedTimestamp: null, passwordManuallyTyped: null },
    { accountId, employeeId: primaryId, owner: observedId, observedLastUsed: null, observedTyped: null },
  )

/** Returns time and typing of the latest login; nothing for a login that is reported late. */
function observedLogin({ internal }: Use, { timestamp, loginType, password }: LoginEvent) {
  const last = numberOrNull(internal.observedLastUsed)
  if (last !== null && timestamp < last) return {}
  const typed = loginType === 'PASSWORD_LOGIN' ? (password?.manuallyTyped ?? null) : null
  return { observedLastUsed: timestamp, observedTyped: typed === null ? null : Number(typed) }
}

/** Gives all uses of merged employees the same record; only the first is listed. */
function updateRecords(rows: readonly Use[]): void {
  const [first] = rows
  if (first === undefined) return
  const record = lastUse(String(first.internal.employeeId), rows)
  rows.forEach((row, index) => {
    if (!sameUse(row.record, record)) row.record = record
    row.hidden = index > 0
  })
}

const sameUse = (one: AccountUser, other: AccountUser): boolean =>
  one.employeeId === other.employeeId &&
  one.lastUsedTimestamp === other.lastUsedTimestamp &&
  one.passwordManuallyTyped === other.passwordManuallyTyped
