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
  // One each, but for what was imported: there an account may have several of a type.
  const drafts = new Map<string, Draft<Finding>[]>()
  const loaded = new Set<string>()

  const settle = (
    type: FindingType,
    subjectId: string,
    subject: Parameters<typeof reconcile>[2],
    privates: Privates,
    wanted: Wanted | undefined,
  ): void => {
    const key = keyOf(type, subjectId)
    const known = drafts.get(key) ?? []
    const decide = (finding: Finding | undefined) =>
      reconcile(finding, type, subject, wanted, nowSeconds, () => makeId(type, subjectId))
    if (known.length === 0) {
      const made = decide(undefined)
      if (made) drafts.set(key, [newDraft(made.id, made, privates)])
    }
    for (const draft of wanted?.open === false ? known : known.slice(0, 1))
      draft.record = decide(draft.record) ?? draft.record
  }

  const add = (stored: readonly Stored<Finding>[], subjectOf: (one: Stored<Finding>) => string): void => {
    for (const one of stored.toSorted((a, b) => a.seq - b.seq)) {
      const key = keyOf(one.record.type, subjectOf(one))
      drafts.set(key, [...(drafts.get(key) ?? []), draftOf(one)])
    }
  }

  return {
    loadAccounts: async (accountIds) => {
      const missing = [...new Set(accountIds)].filter((id) => !loaded.has(id)).sort()
      if (missing.length === 0) return
      for (const id of missing) loaded.add(id)
      const stored = await getRecordsByValues(tx, findings, org, 'accountId', missing)
      add(stored, ({ record }) => String(record.accountId))
    },
    loadEmployee: async ({ shownId }) => {
      const stored = await getRecordsByValues(tx, findings, org, 'employeeId', [shownId])
      add(
        stored.filter(({ record }) => record.accountId === null),
        observedIdOf,
      )
    },
    ofAccount: (type, accountId) => drafts.get(keyOf(type, accountId))?.[0]?.record,
    settleAccount: (type, { record, privates }, wanted) => {
      const { id, employeeId, appType, appId } = record
      const subject = { employeeId, accountId: id, appType, appId }
      settle(type, id, subject, { owner: privates.owner ?? null }, wanted)
    },
    settleEmployee: (type, { observedId, shownId }, wanted) => {
      const subject = { employeeId: shownId, accountId: null, appType: null, appId: null }
      settle(type, observedId, subject, { owner: observedId === shownId ? null : observedId }, wanted)
    },
    write: () => writeDrafts(tx, findings, org, [...drafts.values()].flat(), nowSeconds),
  }
}

const keyOf = (type: FindingType, subjectId: string): string => `${type} ${subjectId}`

const observedIdOf = ({ record, privates }: Stored<Finding>): string =>
  String(privates.owner ?? record.employeeId)
