import type { Finding } from '@muster/contract/records/finding'

/**
 * State that a finding should have: open with the details it shows, or resolved. Decisions that cannot tell return
 * undefined, which leaves the finding unchanged.
 */
export type FindingVerdict =
  | { readonly open: false }
  | {
      readonly open: true
      readonly passwordId?: string | null
      readonly weakPasswordReasons?: Finding['weakPasswordReasons']
    }

export const resolved: FindingVerdict = { open: false }

export const daySeconds = 24 * 60 * 60

/** Members of a finding that identify its subject. */
export type FindingSubject = Pick<Finding, 'employeeId' | 'accountId' | 'appType' | 'appId'>

/**
 * Applies a verdict to a finding. A type and subject have one finding, which keeps its ID for life (domain contract,
 * section 5). It is created when it first opens; `lastUpdatedTimestamp` changes when it opens or is resolved.
 *
 * @param known the stored finding; undefined if it was never open
 * @returns the same object if nothing changes
 */
export function applyVerdict(
  known: Finding | undefined,
  type: Finding['type'],
  subject: FindingSubject,
  verdict: FindingVerdict | undefined,
  nowSeconds: number,
  makeId: () => string,
): Finding | undefined {
  if (verdict === undefined) return known
  if (!verdict.open)
    return known?.state === 'OPEN' ? { ...known, state: 'RESOLVED', lastUpdatedTimestamp: nowSeconds } : known
  const details = {
    passwordId: verdict.passwordId ?? null,
    weakPasswordReasons: verdict.weakPasswordReasons ? [...verdict.weakPasswordReasons] : null,
  }
  if (known === undefined) {
    return {
      id: makeId(),
      type,
      state: 'OPEN',
      employeeId: subject.employeeId,
      passwordId: details.passwordId,
      accountId: subject.accountId,
      appType: subject.appType,
      appId: subject.appId,
      weakPasswordReasons: details.weakPasswordReasons,
      creationTimestamp: nowSeconds,
      lastUpdatedTimestamp: nowSeconds,
    }
  }
  if (known.state === 'RESOLVED')
    return { ...known, ...details, state: 'OPEN', lastUpdatedTimestamp: nowSeconds }
  const isUnchanged =
    known.passwordId === details.passwordId &&
    JSON.stringify(known.weakPasswordReasons) === JSON.stringify(details.weakPasswordReasons)
  return isUnchanged ? known : { ...known, ...details }
}
