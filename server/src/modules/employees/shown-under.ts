import { accounts, usedBy } from '@muster/contract/account'
import { accountsOther } from '@muster/contract/account-other'
import { browsers } from '@muster/contract/browser'
import { browserExtensions } from '@muster/contract/browser-extension'
import type { Collection } from '@muster/contract/collection'
import { asDetectionEmployee, detections } from '@muster/contract/detection'
import type { Employee } from '@muster/contract/employee'
import { findings } from '@muster/contract/finding'
import { recordsWhere, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { lastUse } from './last-use.rules.ts'

type Shown = Record<string, unknown>

/**
 * Every collection whose records name an employee, and the facts of the employee that each record
 * holds a copy of. This is the one table of copied facts: the change of an employee renders them anew.
 */
const collectionsOfEmployees: readonly { collection: Collection; copy: (employee: Employee) => Shown }[] = [
  { collection: accounts, copy: () => ({}) },
  { collection: accountsOther, copy: () => ({}) },
  { collection: browsers, copy: (employee) => ({ email: employee.email }) },
  { collection: browserExtensions, copy: () => ({}) },
  { collection: findings, copy: () => ({}) },
  { collection: detections, copy: (employee) => ({ employee: asDetectionEmployee(employee) }) },
]

/** A record of a collection as it is shown under an employee, with the facts of the employee that it holds. */
export const asShownUnder = (collection: Collection, record: Shown, to: Employee): Shown => ({
  ...record,
  ...collectionsOfEmployees.find((one) => one.collection === collection)?.copy(to),
  employeeId: to.id,
})

/** Renders anew the facts of an employee that other records hold. */
export async function renderCopies(tx: Tx, org: number, before: Employee, after: Employee): Promise<void> {
  for (const { collection, copy } of collectionsOfEmployees) {
    const facts = copy(after)
    if (JSON.stringify(facts) === JSON.stringify(copy(before))) continue
    for (const stored of await recordsWhere(tx, collection, org, 'employeeId', after.id)) {
      await updateRecord(tx, collection, org, stored, { record: { ...(stored.record as Shown), ...facts } })
    }
  }
}

/**
 * Shows what stands under one employee under another: all of it, or only what was observed with
 * `observedId`. Who it was observed with is kept, so that a merge can be undone.
 *
 * @returns the accounts whose users are shown otherwise now
 */
export async function showUnder(
  tx: Tx,
  org: number,
  fromId: string,
  to: Employee,
  observedId?: string,
): Promise<ReadonlySet<string>> {
  for (const { collection } of collectionsOfEmployees) {
    for (const stored of await recordsWhere(tx, collection, org, 'employeeId', fromId)) {
      const owner = stored.internal.owner ?? fromId
      if (observedId !== undefined && owner !== observedId) continue
      const record = asShownUnder(collection, stored.record as Shown, to)
      await updateRecord(tx, collection, org, stored, {
        record,
        internal: { owner: owner === to.id ? null : owner },
      })
    }
  }
  return showUsesUnder(tx, org, fromId, to.id, observedId)
}

async function showUsesUnder(
  tx: Tx,
  org: number,
  fromId: string,
  toId: string,
  observedId: string | undefined,
): Promise<ReadonlySet<string>> {
  const accountIds = new Set<string>()
  for (const stored of await recordsWhere(tx, usedBy, org, 'employeeId', fromId)) {
    if (observedId !== undefined && stored.internal.owner !== observedId) continue
    await updateRecord(tx, usedBy, org, stored, { internal: { employeeId: toId } })
    accountIds.add(String(stored.internal.accountId))
  }
  for (const accountId of accountIds) await renderUses(tx, org, accountId)
  return accountIds
}

/**
 * Renders the users of an account: one element per employee that is shown, at the place of the first of
 * those that are one person, with the latest of their uses.
 */
export async function renderUses(tx: Tx, org: number, accountId: string): Promise<void> {
  const rows = await recordsWhere(tx, usedBy, org, 'accountId', accountId)
  const people = Map.groupBy(rows, (row) => String(row.internal.employeeId))
  for (const [employeeId, uses] of people) {
    const record = lastUse(employeeId, uses)
    for (const [at, stored] of uses.entries())
      await updateRecord(tx, usedBy, org, stored, { record, hidden: at > 0 })
  }
}
