import type { Account } from '@muster/contract/records/account'
import { type Finding, findings } from '@muster/contract/records/finding'
import { type Draft, draftOf, newDraft, writeDrafts } from '../../kernel/store/record-drafts.ts'
import { getRecordsByValues, type InternalColumns, type Stored } from '../../kernel/store/records.ts'
import type { Param, Tx } from '../../kernel/store/sql.ts'
import { applyVerdict, type FindingSubject, type FindingVerdict, resolved } from './types/finding-verdict.ts'

type FindingType = Finding['type']

/** Members of an account that its findings copy. `owner` is the observed employee if a primary is shown instead. */
export interface FindingAccount {
  readonly record: Pick<Account, 'id' | 'employeeId' | 'appType' | 'appId'>
  readonly internal: Readonly<Record<string, Param>>
}

/** Returns the ID of a new finding. */
export type FindingIdSource = (type: FindingType, subjectId: string) => string

/** Findings of a transaction: loaded once, changed by any number of verdicts, written once. */
export interface FindingWriter {
  /** Loads the findings of accounts for changes. */
  loadAccounts(accountIds: readonly string[]): Promise<void>
  /** Loads the findings of a primary employee that are not about an account. */
  loadEmployee(employeeId: string): Promise<void>
  findingOf(type: FindingType, accountId: string): Finding | undefined
  applyToAccount(type: FindingType, account: FindingAccount, verdict: FindingVerdict | undefined): void
  applyToEmployee(type: FindingType, employeeId: string, verdict: FindingVerdict | undefined): void
  write(): Promise<void>
}

export function openFindingWriter(
  tx: Tx,
  org: number,
  nowSeconds: number,
  makeId: FindingIdSource,
): FindingWriter {
  // Usually one finding per key, but imported accounts and merged employees may have several of a type.
  const drafts = new Map<string, Draft<Finding>[]>()
  const loaded = new Set<string>()

  const apply = (
    type: FindingType,
    subjectId: string,
    subject: FindingSubject,
    internal: InternalColumns,
    verdict: FindingVerdict | undefined,
    verdictForDuplicates: FindingVerdict | undefined,
  ): void => {
    const key = keyOf(type, subjectId)
    const known = drafts.get(key) ?? []
    const applied = (finding: Finding | undefined, one: FindingVerdict | undefined) =>
      applyVerdict(finding, type, subject, one, nowSeconds, () => makeId(type, subjectId))
    if (known.length === 0) {
      const created = applied(undefined, verdict)
      if (created) drafts.set(key, [newDraft(created.id, created, internal)])
    }
    for (const [index, draft] of known.entries())
      draft.record = applied(draft.record, index === 0 ? verdict : verdictForDuplicates) ?? draft.record
  }

  const add = (stored: readonly Stored<Finding>[], subjectIdOf: (one: Stored<Finding>) => string): void => {
    for (const one of stored.toSorted((a, b) => a.seq - b.seq)) {
      const key = keyOf(one.record.type, subjectIdOf(one))
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
    findingOf: (type, accountId) => drafts.get(keyOf(type, accountId))?.[0]?.record,
    applyToAccount: (type, { record, internal }, verdict) => {
      const { id, employeeId, appType, appId } = record
      const subject = { employeeId, accountId: id, appType, appId }
      const duplicates = verdict?.open === false ? verdict : undefined
      apply(type, id, subject, { owner: internal.owner ?? null }, verdict, duplicates)
    },
    applyToEmployee: (type, employeeId, verdict) => {
      const subject = { employeeId, accountId: null, appType: null, appId: null }
      // Merged employees share the first finding; the others are resolved.
      apply(type, employeeId, subject, {}, verdict, verdict && resolved)
    },
    write: () => writeDrafts(tx, findings, org, [...drafts.values()].flat(), nowSeconds),
  }
}

const keyOf = (type: FindingType, subjectId: string): string => `${type} ${subjectId}`
