import type { Finding } from '@muster/contract/records/finding'
import { derivedId } from '../../kernel/lib/secrets/derived-id.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { OrgSettings } from '../agents/org-settings.ts'
import { evaluateStoredAccounts } from './account-findings.ts'
import { openFindingWriter } from './finding-writer.ts'

/** Records that time passed for accounts. Stored with the raw events, for replays to evaluate at the same moment. */
export interface TimePassed {
  readonly kind: 'TIME_PASSED'
  readonly accountIds: readonly string[]
}

/** Returns the parts from which the ID of a finding is derived that opened by the passing of time. */
export const timeFindingIdParts = (org: number, type: Finding['type'], accountId: string) =>
  [org, 'time', 'finding', type, accountId] as const

/**
 * Evaluates the findings of accounts that change by the passing of time (domain contract, section 5).
 *
 * @returns the accounts of which a finding changed
 */
export async function evaluateTimeFindings(
  tx: Tx,
  org: number,
  accountIds: readonly string[],
  { controls: { thresholds } }: OrgSettings,
  nowMs: number,
): Promise<string[]> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const writer = openFindingWriter(tx, org, nowSeconds, (type, accountId) =>
    derivedId(nowMs, timeFindingIdParts(org, type, accountId)),
  )
  const changed = await evaluateStoredAccounts(tx, org, writer, 'TIME_PASSED', accountIds.toSorted(), {
    nowSeconds,
    thresholds,
  })
  await writer.write()
  return changed
}
