import type { Finding } from '@muster/contract/finding'
import type { Wanted } from './wanted.ts'

/** What a finding is about, as its record shows it. */
export type FindingSubject = Pick<Finding, 'employeeId' | 'accountId' | 'appType' | 'appId'>

/**
 * The finding as it is wanted: there is one for each type and subject, with the same id for life (domain contract,
 * section 5). It is made when it first opens; `lastUpdatedTimestamp` moves when it opens or is resolved.
 *
 * @param known the finding as it is; undefined if it was never open
 * @param makeId gives the id of a new one
 * @returns the same object if nothing changes
 */
export function reconcile(
  known: Finding | undefined,
  type: Finding['type'],
  subject: FindingSubject,
  wanted: Wanted | undefined,
  nowSeconds: number,
  makeId: () => string,
): Finding | undefined {
  if (wanted === undefined) return known
  if (!wanted.open)
    return known?.state === 'OPEN' ? { ...known, state: 'RESOLVED', lastUpdatedTimestamp: nowSeconds } : known
  const shown = {
    passwordId: wanted.passwordId ?? null,
    weakPasswordReasons: wanted.weakPasswordReasons ? [...wanted.weakPasswordReasons] : null,
  }
  if (known === undefined) {
    return {
      id: makeId(),
      type,
      state: 'OPEN',
      employeeId: subject.employeeId,
      passwordId: shown.passwordId,
      accountId: subject.accountId,
      appType: subject.appType,
      appId: subject.appId,
      weakPasswordReasons: shown.weakPasswordReasons,
      creationTimestamp: nowSeconds,
      lastUpdatedTimestamp: nowSeconds,
    }
  }
  if (known.state === 'RESOLVED')
    return { ...known, ...shown, state: 'OPEN', lastUpdatedTimestamp: nowSeconds }
  const same =
    known.passwordId === shown.passwordId &&
    JSON.stringify(known.weakPasswordReasons) === JSON.stringify(shown.weakPasswordReasons)
  return same ? known : { ...known, ...shown }
}
