import type { Account } from '@muster/contract/account'
import { type Finding, findings } from '@muster/contract/finding'
import { reconcile } from '../../findings/reconcile.ts'
import type { Wanted } from '../../findings/wanted.ts'
import { type Draft, draftOf, newDraft, writeDrafts } from '../../storage/drafts.ts'
import { getRecordsByValues, type Privates, type Stored } from '../../storage/records.ts'
import type { Param, Tx } from '../../storage/sql.ts'

type FindingType = Finding['type']

/** An account as findings see it; `owner` is the employee it was observed with while another is shown. */
export interface FindingAccount {
  readonly record: Pick<Account, 'id' | 'employeeId' | 'appType' | 'appId'>
  readonly privates: Readonly<Record<string, Param>>
}

/** An employee: whom it was observed of, and who is shown. */
export interface FindingEmployee {
  readonly observedId: string
  readonly shownId: string
}

/** Gives the id of a new finding. */
export type FindingId = (type: FindingType, subjectId: string) => string

/** The findings of a transaction: loaded once, decided on in any number, written once. */
export interface FindingBook {
  /** Loads the findings of accounts, to be changed. */
  loadAccounts(accountIds: readonly string[]): Promise<void>
  /** Loads the findings of an employee that are not about an account, to be changed. */
  loadEmployee(employee: FindingEmployee): Promise<void>
  ofAccount(type: FindingType, accountId: string): Finding | undefined
  settleAccount(type: FindingType, account: FindingAccount, wanted: Wanted | undefined): void
  settleEmployee(type: FindingType, employee: FindingEmployee, wanted: Wanted | undefined): void
  write(): Promise<void>
}

/**
 * @param makeId gives the ids of new findings
 */
export function openFindingBook(tx: Tx, org: number, nowSeconds: number, makeId: FindingId): FindingBook {
  const drafts = new Map<string, Draft<Finding>>()
  const loaded = new Set<string>()

  const settle = (
    type: FindingType,
    subjectId: string,
    subject: Parameters<typeof reconcile>[2],
    privates: Privates,
    wanted: Wanted | undefined,
  ): void => {
    const key = keyOf(type, subjectId)
    const draft = drafts.get(key)
    const next = reconcile(draft?.record, type, subject, wanted, nowSeconds, () => makeId(type, subjectId))
    if (next === undefined) return
    if (draft) draft.record = next
    else drafts.set(key, newDraft(next.id, next, privates))
  }

  return {
    loadAccounts: async (accountIds) => {
      const missing = [...new Set(accountIds)].filter((id) => !loaded.has(id)).sort()
      if (missing.length === 0) return
      for (const id of missing) loaded.add(id)
      for (const stored of await getRecordsByValues(tx, findings, org, 'accountId', missing))
        drafts.set(keyOf(stored.record.type, String(stored.record.accountId)), draftOf(stored))
    },
    loadEmployee: async ({ shownId }) => {
      for (const stored of await getRecordsByValues(tx, findings, org, 'employeeId', [shownId])) {
        if (stored.record.accountId !== null) continue
        drafts.set(keyOf(stored.record.type, observedIdOf(stored)), draftOf(stored))
      }
    },
    ofAccount: (type, accountId) => drafts.get(keyOf(type, accountId))?.record,
    settleAccount: (type, { record, privates }, wanted) => {
      const { id, employeeId, appType, appId } = record
      const subject = { employeeId, accountId: id, appType, appId }
      settle(type, id, subject, { owner: privates.owner ?? null }, wanted)
    },
    settleEmployee: (type, { observedId, shownId }, wanted) => {
      const subject = { employeeId: shownId, accountId: null, appType: null, appId: null }
      settle(type, observedId, subject, { owner: observedId === shownId ? null : observedId }, wanted)
    },
    write: () => writeDrafts(tx, findings, org, drafts.values(), nowSeconds),
  }
}

const keyOf = (type: FindingType, subjectId: string): string => `${type} ${subjectId}`

const observedIdOf = ({ record, privates }: Stored<Finding>): string =>
  String(privates.owner ?? record.employeeId)
