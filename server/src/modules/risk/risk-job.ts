import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { type IdentityTest, identityTest, readWorkDomains } from '../apps/identity.service.ts'
import { type RiskScope, refreshScores } from './refresh-scores.ts'
import {
  advanceRiskRange,
  findingsOfEmployees,
  hasRiskChanges,
  nextRangeFindings,
  nextRiskChanges,
  nextRiskRange,
  type RiskChange,
  removeRiskChanges,
} from './risk-changes.store.ts'

interface RefreshOptions {
  readonly db: Db
  readonly clock: Clock
  /** Aborts between two transactions. */
  readonly signal?: AbortSignal | undefined
}

/** Marks, or findings of a range, per transaction: few enough for other requests on the embedded store. */
const marksPerTransaction = 40

/**
 * Computes the scores of all marked records, in small transactions. Only one process of a store does so at a time.
 *
 * @throws the abort reason of the signal; the rest stays marked
 */
export async function refreshMarkedScores({ db, clock, signal }: RefreshOptions): Promise<void> {
  if (!(await hasRiskChanges(db))) return
  const tests = new Map<number, IdentityTest>()
  const identityTestOf = async (org: number): Promise<IdentityTest> => {
    const known = tests.get(org) ?? identityTest(db, await readWorkDomains(db.slow, org))
    tests.set(org, known)
    return known
  }
  const nowSeconds = unixSeconds(clock)
  const refresh = async (tx: Tx, org: number, scope: RiskScope) =>
    refreshScores(tx, org, scope, { nowSeconds, isOf: await identityTestOf(org) })
  while (await db.inTransaction((tx) => refreshSome(tx, refresh))) {
    signal?.throwIfAborted()
    await yieldToEventLoop()
  }
}

/** @returns true if more may be marked */
async function refreshSome(
  tx: Tx,
  refresh: (tx: Tx, org: number, scope: RiskScope) => Promise<void>,
): Promise<boolean> {
  if (!(await tx.tryLock('risk scores'))) return false
  const changes = await nextRiskChanges(tx, marksPerTransaction)
  if (changes.length > 0) {
    await removeRiskChanges(
      tx,
      changes.map(({ number }) => number),
    )
    for (const [org, own] of Map.groupBy(changes, (change) => change.org))
      await refresh(tx, org, await scopeOf(tx, org, own))
    return true
  }
  const range = await nextRiskRange(tx)
  if (!range) return false
  const found = await nextRangeFindings(tx, range, marksPerTransaction)
  const last = found.at(-1)
  if (last) await advanceRiskRange(tx, range.number, last.seq)
  else await removeRiskChanges(tx, [range.number])
  await refresh(tx, range.org, { ...partsOf(found), employeeIds: [] })
  return true
}

async function scopeOf(tx: Tx, org: number, changes: readonly RiskChange[]): Promise<RiskScope> {
  const idsOf = (kind: RiskChange['kind']) => changes.filter((one) => one.kind === kind).map(({ id }) => id)
  const employeeIds = [...new Set(idsOf('EMPLOYEE'))]
  const { accountIds, findingIds } = partsOf(
    employeeIds.length > 0 ? await findingsOfEmployees(tx, org, employeeIds) : [],
  )
  return {
    accountIds: [...idsOf('ACCOUNT'), ...accountIds],
    findingIds: [...idsOf('FINDING'), ...findingIds],
    employeeIds,
  }
}

const partsOf = (found: readonly { readonly id: string; readonly accountId: string | null }[]) => ({
  accountIds: found.flatMap(({ accountId }) => accountId ?? []),
  findingIds: found.filter(({ accountId }) => accountId === null).map(({ id }) => id),
})

/** Computes the scores of marked records every second. */
export const riskJob = ({ db, clock }: Omit<RefreshOptions, 'signal'>): RepeatOptions => ({
  name: 'priorities of findings',
  everyMs: 1000,
  logOnce: true,
  run: (signal) => refreshMarkedScores({ db, clock, signal }),
})
