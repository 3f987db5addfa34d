import { type Account, type AccountUser, accounts, usedBy } from '@muster/contract/account'
import { accountsOther } from '@muster/contract/account-other'
import { apps } from '@muster/contract/app'
import { browsers } from '@muster/contract/browser'
import { browserExtensions } from '@muster/contract/browser-extension'
import type { Collection, RecordOf } from '@muster/contract/collection'
import { detections } from '@muster/contract/detection'
import { type Employee, employees } from '@muster/contract/employee'
import { findings } from '@muster/contract/finding'
import { type By, recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { appAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { rewordOld } from '../../kernel/events/outbox.ts'
import { foldAscii, foldCase } from '../../kernel/lib/fold-case.ts'
import type { PersonIdentifiers } from '../../kernel/lib/person-mention.ts'
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
import { openFindingBook } from '../findings/finding-book.ts'
import { settleReuse } from '../findings/password-reuse.ts'
import { deleteEventsNaming } from '../webhooks/outbox-upkeep.service.ts'
import { withoutPeople, withoutPersonal } from './erase.rules.ts'
import { deletePersonRows, idsHolding } from './person-rows.store.ts'
import { settleSharedAccounts } from './shared-accounts.ts'

/** How many rows were removed, by what they are. */
export type EraseCounts = Record<string, number>

interface Erasure {
  readonly tx: Tx
  readonly org: number
  readonly ids: ReadonlySet<string>
  readonly addresses: ReadonlySet<string>
  readonly spellings: readonly string[]
  readonly counts: EraseCounts
  /** What accounts have had that were the person's: they may be reused no longer. */
  readonly passwordIds: Set<string>
}

/**
 * Removes a person, with those merged into it, and all that was observed of them: records, raw events, credentials,
 * links, addresses, stolen credentials of the addresses. An account that others use too becomes theirs, unless it is
 * named by one of the addresses. Events that tell of the person go, too; those of the removal name nothing but ids.
 *
 * @param person the employee who is shown, first, and those merged into it
 * @param hmacOf gives what an address is found by among stolen credentials
 * @param by who erases, for the audit events of records of others
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
  rewordOld(tx, withoutPersonal)
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
  const named = await idsHolding(tx, accountsOther, org, spellings)
  const others = await getRecordsByIds(tx, accountsOther, org, named)
  const theirs = others.filter(({ record }) => erasure.addresses.has(foldCase(record.email)))
  await removeAll(erasure, accountsOther, theirs)
  const book = openFindingBook(tx, org, nowSeconds, () => newId(nowSeconds * 1000))
  await settleReuse(tx, org, book, [...passwordIds])
  await book.write()
  await mend(erasure, browsers, (browser) =>
    browser.profileEmail !== null && erasure.addresses.has(foldCase(browser.profileEmail))
      ? { ...browser, profileEmail: null }
      : browser,
  )
  const disowned = await mend(erasure, apps, (app) =>
    app.ownerId !== null && erasure.ids.has(app.ownerId) ? { ...app, ownerId: null } : app,
  )
  await recordAuditEvents(tx, org, by, appAuditEvents(disowned))
  await removeAll(erasure, employees, person)
  const addressHmacs = addresses.map(hmacOf)
  Object.assign(counts, await deletePersonRows(tx, org, { ids, addresses, spellings, addressHmacs }))
  const controls = await readControls(tx, org)
  await writeControls(tx, org, withoutPeople(controls, erasure.ids, erasure.addresses), nowSeconds)
  return counts
}

const addressesOf = (person: readonly Stored<Employee>[]): string[] =>
  person.flatMap(({ record }) => [record.email, ...record.secondaryEmails])

/** IDs and addresses by which texts may name an employee and those merged into it. */
export const personNames = (person: readonly Stored<Employee>[]): PersonIdentifiers => ({
  ids: person.map(({ id }) => id),
  spellings: [...new Set(addressesOf(person).flatMap(spellingsOf))],
})

/**
 * How an address may stand in texts of which the stores fold the letters A to Z alone: its other letters as they were
 * told, all small, and all capital.
 */
const spellingsOf = (address: string): string[] =>
  [address, foldCase(address), address.toUpperCase()].map(foldAscii)

async function removeAll<C extends Collection>(
  { tx, org, counts, passwordIds }: Erasure,
  collection: C,
  stored: readonly Stored<RecordOf<C>>[],
): Promise<void> {
  for (const one of stored) {
    // Accounts (other) have it beside the record, which does not show it.
    if (typeof one.privates.passwordId === 'string') passwordIds.add(one.privates.passwordId)
    await removeRecord(tx, collection, org, one)
  }
  counts[collection.name] = (counts[collection.name] ?? 0) + stored.length
}

/** Changes records of others in which the person is named, and returns the changes. */
async function mend<C extends Collection>(
  { tx, org, ids, spellings }: Erasure,
  collection: C,
  change: (record: RecordOf<C>) => RecordOf<C>,
): Promise<{ before: RecordOf<C>; after: RecordOf<C> }[]> {
  const changes: { before: RecordOf<C>; after: RecordOf<C> }[] = []
  const named = await idsHolding(tx, collection, org, [...ids, ...spellings])
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
  const usedIds = uses.map(({ privates }) => String(privates.accountId))
  add(await getRecordsByIds(tx, accounts, org, usedIds))
  const named = await getRecordsByIds(tx, accounts, org, await idsHolding(tx, accounts, org, spellings))
  add(named.filter(({ record }) => addresses.has(foldCase(record.email))))
  await removeAll(erasure, usedBy, uses)

  const kept = new Set<string>()
  for (const account of touched.values()) {
    const left = await recordsWhere(tx, usedBy, org, 'accountId', account.id)
    const heir = left.find(({ unlisted }) => !unlisted)
    if (account.record.passwordId !== null) passwordIds.add(account.record.passwordId)
    if (heir && !addresses.has(foldCase(account.record.email))) {
      kept.add(account.id)
      if (ids.has(account.record.employeeId)) await giveTo(erasure, account, heir)
      continue
    }
    await removeAll(erasure, usedBy, left)
    await removeAll(erasure, findings, await recordsWhere(tx, findings, org, 'accountId', account.id))
    await removeRecord(tx, accounts, org, account)
    counts.accounts = (counts.accounts ?? 0) + 1
  }
  await settleSharedAccounts(tx, org, kept, nowSeconds)
}

/** An account that others use, too, becomes that of the first of them, with its findings. */
async function giveTo(
  { tx, org }: Erasure,
  account: Stored<Account>,
  heir: Stored<AccountUser>,
): Promise<void> {
  const { employeeId } = heir.record
  const privates = { owner: heir.privates.owner === employeeId ? null : (heir.privates.owner ?? null) }
  await updateRecord(tx, accounts, org, account, { record: { ...account.record, employeeId }, privates })
  for (const finding of await recordsWhere(tx, findings, org, 'accountId', account.id))
    await updateRecord(tx, findings, org, finding, { record: { ...finding.record, employeeId }, privates })
}
