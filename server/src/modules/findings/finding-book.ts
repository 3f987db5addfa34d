import type { Account } from '@muster/contract/account'
import { type Finding, findings } from '@muster/contract/finding'
import { type Draft, draftOf, newDraft, writeDrafts } from '../../kernel/store/record-drafts.ts'
import { getRecordsByValues, type InternalColumns, type Stored } from '../../kernel/store/records.ts'
import type { Param, Tx } from '../../kernel/store/sql.ts'
import { reconcile } from './types/reconcile.ts'
import { resolved, type Wanted } from './types/wanted.ts'

type FindingType = Finding['type']

/** An account as findings see it; `owner` is the employee it was observed with while another is shown. */
export interface FindingAccount {
  readonly record: Pick<Account, 'id' | 'employeeId' | 'appType' | 'appId'>
  readonly internal: Readonly<Record<string, Param>>
}

/** Gives the id of a new finding. */
export type FindingId = (type: FindingType, subjectId: string) => string

/** The findings of a transaction: loaded once, decided on in any number, written once. */
export interface FindingBook {
  /** Loads the findings of accounts, to be changed. */
  loadAccounts(accountIds: readonly string[]): Promise<void>
  /** Loads the findings of an employee who is shown that are not about an account, to be changed. */
  loadEmployee(employeeId: string): Promise<void>
  ofAccount(type: FindingType, accountId: string): Finding | undefined
  settleAccount(type: FindingType, account: FindingAccount, wanted: Wanted | undefined): void
  settleEmployee(type: FindingType, employeeId: string, wanted: Wanted | undefined): void
  write(): Promise<void>
}

/**
 * @param makeId gives the ids of new findings
 */
export function openFindingBook(tx: Tx, org: number, nowSeconds: number, makeId: FindingId): FindingBook {
  // One each, but an account that was imported may have several of a type, and so may employees who are one person.
  const drafts = new Map<string, Draft<Finding>[]>()
  const loaded = new Set<string>()

  const settle = (
    type: FindingType,
    subjectId: string,
    subject: Parameters<typeof reconcile>[2],
    internal: InternalColumns,
    wanted: Wanted | undefined,
    wantedOfOthers: Wanted | undefined,
  ): void => {
    const key = keyOf(type, subjectId)
    const known = drafts.get(key) ?? []
    const decide = (finding: Finding | undefined, what: Wanted | undefined) =>
      reconcile(finding, type, subject, what, nowSeconds, () => makeId(type, subjectId))
    if (known.length === 0) {
      const made = decide(undefined, wanted)
      if (made) drafts.set(key, [newDraft(made.id, made, internal)])
    }
    for (const [at, draft] of known.entries())
      draft.record = decide(draft.record, at === 0 ? wanted : wantedOfOthers) ?? draft.record
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
    loadEmployee: async (employeeId) => {
      const stored = await getRecordsByValues(tx, findings, org, 'employeeId', [employeeId])
      const own = stored.filter(({ record }) => record.accountId === null)
      add(own, () => employeeId)
    },
    ofAccount: (type, accountId) => drafts.get(keyOf(type, accountId))?.[0]?.record,
    settleAccount: (type, { record, internal }, wanted) => {
      const { id, employeeId, appType, appId } = record
      const subject = { employeeId, accountId: id, appType, appId }
      const others = wanted?.open === false ? wanted : undefined
      settle(type, id, subject, { owner: internal.owner ?? null }, wanted, others)
    },
    settleEmployee: (type, employeeId, wanted) => {
      const subject = { employeeId, accountId: null, appType: null, appId: null }
      // The first stands for all that are one person.
      settle(type, employeeId, subject, {}, wanted, wanted && resolved)
    },
    write: () => writeDrafts(tx, findings, org, [...drafts.values()].flat(), nowSeconds),
  }
}

const keyOf = (type: FindingType, subjectId: string): string => `${type} ${subjectId}`
