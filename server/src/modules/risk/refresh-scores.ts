import type { Collection } from '@muster/contract/api/collection'
import { type Account, accounts } from '@muster/contract/records/account'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { getRecordsByIds, getRecordsByValues, type Stored } from '../../kernel/store/records.ts'
import type { Param, Tx } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'
import type { IdentityTest } from '../apps/identity.service.ts'
import { assessFindings } from './assess-findings.rules.ts'
import {
  employeeScores,
  phishedApps,
  phishedKey,
  privateAccounts,
  readWeights,
  sensitivities,
} from './risk-facts.store.ts'

/** Records whose scores are computed. */
export interface RiskScope {
  readonly accountIds: readonly string[]
  /** Findings without an account. */
  readonly findingIds: readonly string[]
  /** Employees besides those of the findings. */
  readonly employeeIds: readonly string[]
}

/**
 * Computes the scores of accounts with all their findings, of further findings, and of the employees concerned. Writes only
 * those that differ.
 */
export async function refreshScores(
  tx: Tx,
  org: number,
  scope: RiskScope,
  { nowSeconds, isOf }: { readonly nowSeconds: number; readonly isOf: IdentityTest },
): Promise<void> {
  const accountIds = sorted(scope.accountIds)
  const findingIds = sorted(scope.findingIds)
  // Employees are locked first, then accounts, as all transactions do that change them.
  const employeeIds = sorted([...scope.employeeIds, ...(await employeesOf(tx, org, accountIds, findingIds))])
  const people = await getRecordsByIds(tx, employees, org, employeeIds)
  const owned = await getRecordsByIds(tx, accounts, org, accountIds)
  const stored = [
    ...(await getRecordsByValues(tx, findings, org, 'accountId', accountIds)),
    ...(await getRecordsByIds(tx, findings, org, findingIds)),
  ]
  const appIds = sorted(stored.flatMap(({ record }) => record.appId ?? []))
  const levels = await sensitivities(tx, org, appIds)
  const phished = await phishedApps(tx, org, employeeIds)
  const isPrivate = await privateAccounts(tx, org, accountIds, isOf)
  const accountOf = new Map(owned.map(({ id, record }): [string, Account] => [id, record]))
  const scores = assessFindings(
    stored.map(({ record }) => record),
    {
      nowSeconds,
      weights: await readWeights(tx, org),
      accountOf: (id) => accountOf.get(id),
      sensitivityOf: (appId) => levels.get(appId) ?? null,
      isPhished: (employeeId, appId) => phished.has(phishedKey(employeeId, appId)),
      isPrivate: (id) => isPrivate.has(id),
    },
  )
  // Sent without waiting for each one, which saves round trips to PostgreSQL.
  await allSettledOrThrow(
    stored.map((finding) => writeColumns(tx, findings, org, finding, { ...scores.get(finding.id) })),
  )
  const byAccount = Map.groupBy(stored, ({ record }) => record.accountId)
  for (const account of owned) {
    const riskScore = highest(
      (byAccount.get(account.id) ?? []).map(({ id }) => scores.get(id)?.priorityScore ?? null),
    )
    await writeColumns(tx, accounts, org, account, { riskScore })
  }
  const ofPeople = await employeeScores(tx, org, employeeIds)
  for (const person of people)
    await writeColumns(tx, employees, org, person, { riskScore: ofPeople.get(person.id) ?? null })
}

const sorted = (ids: readonly string[]): string[] => [...new Set(ids)].sort()

const highest = (scores: readonly (number | null)[]): number | null => {
  const known = scores.filter((score) => score !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** Returns the employees of findings without locking anything. */
async function employeesOf(
  tx: Tx,
  org: number,
  accountIds: readonly string[],
  findingIds: readonly string[],
): Promise<string[]> {
  const byColumn = (column: string, index: string, ids: readonly string[]) =>
    tx.all<{ id: string | null }>(
      `SELECT DISTINCT t.employee_id AS id FROM ${tx.dialect.seekByValues('findings', column, index)}`,
      [JSON.stringify(ids), org],
    )
  const rows = [
    ...(await byColumn('account_id', 'findings_by_account_id', accountIds)),
    ...(await byColumn('id', 'findings_id', findingIds)),
  ]
  return rows.flatMap(({ id }) => id ?? [])
}

const columnNames = {
  priorityScore: 'priority_score',
  priorityRules: 'priority_rules',
  riskScore: 'risk_score',
}

/** Writes internal columns of a record if they differ. The record is not rendered, and there is no event. */
async function writeColumns(
  tx: Tx,
  collection: Collection,
  org: number,
  { seq, hidden, internal }: Pick<Stored<unknown>, 'seq' | 'hidden' | 'internal'>,
  values: Partial<Record<keyof typeof columnNames, Param>>,
): Promise<void> {
  const changed = Object.entries(values).filter(([name, value]) => (internal[name] ?? null) !== value)
  if (changed.length === 0) return
  const set = changed.map(([name]) => `${columnNames[name as keyof typeof columnNames]} = ?`).join(', ')
  await tx.run(`UPDATE ${tableOf(collection).name} SET ${set} WHERE ${tx.dialect.recordAt}`, [
    ...changed.map(([, value]) => value),
    org,
    hidden ? 1 : 0,
    seq,
  ])
}
