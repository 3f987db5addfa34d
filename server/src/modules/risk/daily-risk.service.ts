import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { readWorkDomains } from '../apps/identity.service.ts'
import { usedBefore } from './assess-findings.rules.ts'
import { markAccountsUsed, markOrganization } from './risk-changes.store.ts'

/**
 * Marks findings whose score changes without a change of a record: of accounts that were not used for long, and of all
 * accounts if the work domains of the organization differ. Run daily.
 */
export async function markPassedTime(db: Db, nowSeconds: number, signal?: AbortSignal): Promise<void> {
  for (const { no: org } of await listOrganizations(db)) {
    signal?.throwIfAborted()
    const domains = JSON.stringify((await readWorkDomains(db.slow, org)).toSorted())
    await db.inTransaction((tx) => markOf(tx, org, usedBefore(nowSeconds), domains))
  }
}

async function markOf(tx: Tx, org: number, below: number, domains: string): Promise<void> {
  const known = await tx.get<{ used_before: number; domains: string }>(
    'SELECT used_before, domains FROM risk_states WHERE org = ?',
    [org],
  )
  if (known === undefined || known.domains !== domains) await markOrganization(tx, org)
  else if (known.used_before < below) await markAccountsUsed(tx, org, known.used_before, below)
  await tx.insert(
    'risk_states',
    ['org', 'used_before', 'domains'],
    [[org, below, domains]],
    'ON CONFLICT (org) DO UPDATE SET used_before = excluded.used_before, domains = excluded.domains',
  )
}
