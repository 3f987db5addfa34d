import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { type Account, type AccountUser, accounts, usedBy } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { type By, recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { appAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { redactOldRecords } from '../../kernel/events/outbox.ts'
import { foldAscii, foldCase } from '../../kernel/lib/fold-case.ts'
import { type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { readControls, writeControls } from '../../kernel/organizations/organization-controls.ts'
import {
  getRecordsByIds,
  recordsWhere,
  removeRecord,
  type Stored,
  updateRecord,
} from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { openFindingWriter } from '../findings/finding-writer.ts'
import { evaluateReusedPasswords } from '../findings/reused-passwords.ts'
import { groupMarkedDetectionsNow } from '../incidents/incidents-job.ts'
import { deleteEventsNaming } from '../webhooks/purge-events.service.ts'
import { deleteEmployeeRows, findIdsContaining } from './employee-rows.store.ts'
import { redactPersonalData, removeEmployees } from './erase.rules.ts'
import { evaluateSharedAccounts } from './shared-accounts.ts'

/** Number of removed rows, by kind. */
export type EraseCounts = Record<string, number>

interface Erasure {
  readonly tx: Tx
  readonly org: number
  readonly ids: ReadonlySet<string>
  readonly addresses: ReadonlySet<string>
  readonly spellings: readonly string[]
  readonly counts: EraseCounts
  /** Passwords of erased accounts, whose reuse has to be evaluated again. */
  readonly passwordIds: Set<string>
}

/**
 * Erases an employee, the employees merged into it, and all data about them: records, raw events,
 * credentials, links, addresses, stolen credentials of the addresses, and events that name them. Accounts
 * that other employees also use are transferred to them, unless the account is named by an address of the
 * erased employee. Events of the removal contain only IDs.
 *
 * @param person the primary employee first, then the employees merged into it
 * @param hmacOf returns the key of an address among stolen credentials
 * @param by actor of the audit events for records of others
 */
export async function erasePerson(
  tx: Tx,
  org: number,
  person: readonly Stored<Employee>[],
  hmacOf: (address: string) => string,
  by: By,
): Promise<EraseCounts> {
  const nowSeconds = by.timestamp
  const { ids, spellings } = personNames(person)
  const addresses = [...new Set(addressesOf(person).map(foldCase))]
  redactOldRecords(tx, redactPersonalData)
  const counts: EraseCounts = { events: await deleteEventsNaming(tx, org, { ids, spellings }) }
  const passwordIds = new Set<string>()
  const erasure = {
    tx,
    org,
    ids: new Set(ids),
    addresses: new Set(addresses),
    spellings,
    counts,
    passwordIds,
  }
  await eraseAccounts(erasure, nowSeconds)
  const ofEmployees: Collection[] = [findings, detections, browserExtensions, browsers, accountsOther]
  for (const collection of ofEmployees)
    for (const id of ids)
      await removeAll(erasure, collection, await recordsWhere(tx, collection, org, 'employeeId', id))
  const named = await findIdsContaining(tx, accountsOther, org, spellings)
  const others = await getRecordsByIds(tx, accountsOther, org, named)
  const matching = others.filter(({ record }) => erasure.addresses.has(foldCase(record.email)))
  await removeAll(erasure, accountsOther, matching)
  const writer = openFindingWriter(tx, org, nowSeconds, () => newId(nowSeconds * 1000))
  await evaluateReusedPasswords(tx, org, writer, [...passwordIds])
  await writer.write()
  await updateRecordsNaming(erasure, browsers, (browser) =>
    browser.profileEmail !== null && erasure.addresses.has(foldCase(browser.profileEmail))
      ? { ...browser, profileEmail: null }
      : browser,
  )
  const changedApps = await updateRecordsNaming(erasure, apps, (app) =>
    app.ownerId !== null && erasure.ids.has(app.ownerId) ? { ...app, ownerId: null } : app,
  )
  await recordAuditEvents(tx, org, by, appAuditEvents(changedApps))
  await removeAll(erasure, employees, person)
  // Incidents refer to employees by their IDs.
  await groupMarkedDetectionsNow(tx, org)
  const addressHmacs = addresses.map(hmacOf)
  Object.assign(counts, await deleteEmployeeRows(tx, org, { ids, addresses, spellings, addressHmacs }))
  const controls = await readControls(tx, org)
  await writeControls(tx, org, removeEmployees(controls, erasure.ids, erasure.addresses), nowSeconds)
  return counts
}

const addressesOf = (person: readonly Pick<Stored<Employee>, 'id' | 'record'>[]): string[] =>
  person.flatMap(({ record }) => [record.email, ...record.secondaryEmails])

/** Returns the IDs and addresses by which texts may name an employee and the employees merged into it. */
export const personNames = (
  person: readonly Pick<Stored<Employee>, 'id' | 'record'>[],
): PersonIdentifiers => ({
  ids: person.map(({ id }) => id),
  spellings: [...new Set(addressesOf(person).flatMap(spellingsOf))],
})

/**
 * Returns the spellings of an address to search for. The stores fold only A to Z, so other letters are
 * searched as written, in lower and in upper case.
 */
const spellingsOf = (address: string): string[] =>
  [address, foldCase(address), address.toUpperCase()].map(foldAscii)

async function removeAll<C extends Collection>(
  { tx, org, counts, passwordIds }: Erasure,
  collection: C,
  stored: readonly Stored<RecordOf<C>>[],
): Promise<void> {
  for (const one of stored) {
    // Accounts (other) store the password ID outside of the record.
    if (typeof one.internal.passwordId === 'string') passwordIds.add(one.internal.passwordId)
    await removeRecord(tx, collection, org, one)
  }
  counts[collection.name] = (counts[collection.name] ?? 0) + stored.length
}

/**
 * Changes records of others that name the employee.
 *
 * @returns the changed records
 */
async function updateRecordsNaming<C extends Collection>(
  { tx, org, ids, spellings }: Erasure,
  collection: C,
  change: (record: RecordOf<C>) => RecordOf<C>,
): Promise<{ before: RecordOf<C>; after: RecordOf<C> }[]> {
  const changes: { before: RecordOf<C>; after: RecordOf<C> }[] = []
  const named = await findIdsContaining(tx, collection, org, textsOf({ ids: [...ids], spellings }))
  for (const stored of await getRecordsByIds(tx, collection, org, named)) {
    const record = change(stored.record)
    if (record === stored.record) continue
    await updateRecord(tx, collection, org, stored, { record })
    changes.push({ before: stored.record, after: record })
  }
  return changes
}

async function eraseAccounts(erasure: Erasure, nowSeconds: number): Promise<void> {
  const { tx, org, ids, addresses, spellings, counts, passwordIds } = erasure
  const touched = new Map<string, Stored<Account>>()
  const add = (stored: readonly Stored<Account>[]) => {
    for (const one of stored) touched.set(one.id, one)
  }
  const uses: Stored<AccountUser>[] = []
  for (const id of ids) {
    add(await recordsWhere(tx, accounts, org, 'employeeId', id))
    uses.push(...(await recordsWhere(tx, usedBy, org, 'employeeId', id)))
  }
  const usedIds = uses.map(({ internal }) => String(internal.accountId))
  add(await getRecordsByIds(tx, accounts, org, usedIds))
  const named = await getRecordsByIds(
    tx,
    accounts,
    org,
    await findIdsContaining(tx, accounts, org, spellings),
  )
  add(named.filter(({ record }) => addresses.has(foldCase(record.email))))
  await removeAll(erasure, usedBy, uses)

  const keptIds = new Set<string>()
  for (const account of touched.values()) {
    const left = await recordsWhere(tx, usedBy, org, 'accountId', account.id)
    const nextUser = left.find(({ hidden }) => !hidden)
    if (account.record.passwordId !== null) passwordIds.add(account.record.passwordId)
    if (nextUser && !addresses.has(foldCase(account.record.email))) {
      keptIds.add(account.id)
      if (ids.has(account.record.employeeId)) await transferAccount(erasure, account, nextUser)
      continue
    }
    await removeAll(erasure, usedBy, left)
    await removeAll(erasure, findings, await recordsWhere(tx, findings, org, 'accountId', account.id))
    await removeRecord(tx, accounts, org, account)
    counts.accounts = (counts.accounts ?? 0) + 1
  }
  await evaluateSharedAccounts(tx, org, keptIds, nowSeconds)
}

/** Transfers an account with its findings to another employee who uses it. */
async function transferAccount(
  { tx, org }: Erasure,
  account: Stored<Account>,
  nextUser: Stored<AccountUser>,
): Promise<void> {
  const { employeeId } = nextUser.record
  const internal = {
    owner: nextUser.internal.owner === employeeId ? null : (nextUser.internal.owner ?? null),
  }
  await updateRecord(tx, accounts, org, account, { record: { ...account.record, employeeId }, internal })
  for (const finding of await recordsWhere(tx, findings, org, 'accountId', account.id))
    await updateRecord(tx, findings, org, finding, { record: { ...finding.record, employeeId }, internal })
}
