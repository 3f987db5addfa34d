import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { findings } from '@muster/contract/records/finding'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { PersonIdentifiers } from '../../kernel/lib/person-mention.ts'
import { addressHmac } from '../../kernel/lib/secrets/address-hmac.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'
import { findAdministratorByEmail } from '../administrators/administrators.service.ts'
import { listActiveApiKeys } from '../api-keys/api-keys.service.ts'
import { personNames } from '../employees/erase.ts'
import type { Person } from '../employees/find-person.ts'
import { accountsOfOthersUsedBy } from '../offboarding/account-users.service.ts'
import { recordsOfEmployee } from '../offboarding/accounts-to-close.ts'
import { directoryUsersOf } from '../scim/directory-people.service.ts'
import {
  auditEntriesNaming,
  enrollmentLinksOf,
  notesOnOthers,
  noticesTo,
  rawEventsOf,
  recordsNaming,
  savedFiltersNaming,
  stolenCredentialsOf,
  storedEventsNaming,
  workEntriesOf,
} from './person-rows.store.ts'

/** Part of a file with all data about a person. */
export interface PersonalDataSection {
  readonly name: string
  readonly title: string
  /** Sentence for readers: origin of the data. */
  readonly about: string
  /** The records, in parts. */
  readonly records: AsyncIterable<readonly object[]>
}

/**
 * Returns everything that is stored about a person, in sections that are read one after the other. Left out are rules of the
 * controls for single employees, sessions of administrators, and answers kept for repeated requests.
 */
export function personalData(
  db: Db,
  org: number,
  person: Person,
  { keys, nowSeconds }: { keys: Pick<DerivedKeys, 'addressHmac'>; nowSeconds: number },
): PersonalDataSection[] {
  const [{ id }] = person
  const reader = db.slow
  const names = personNames(person.map((record) => ({ id: record.id, record })))
  const addresses = [...new Set(person.flatMap((one) => [one.email, ...one.secondaryEmails]).map(foldCase))]
  const section = (
    name: string,
    title: string,
    about: string,
    records: AsyncIterable<readonly object[]>,
  ): PersonalDataSection => ({ name, title, about, records })
  const read = async function* (load: () => Promise<readonly object[]>) {
    const records = await load()
    if (records.length > 0) yield records
  }
  const observed = (collection: Parameters<typeof recordsOfEmployee>[1]) =>
    recordsOfEmployee<object>(db, collection, org, id)
  const hmacs = addresses.map((address) => addressHmac(keys.addressHmac, org, address))

  return [
    section(
      'employees',
      'Employee',
      'The record of the person, and records merged into it.',
      read(async () => person),
    ),
    section(
      'directory',
      'Directory',
      'Attributes of the user that the directory sent by SCIM.',
      read(() => directoryUsersOf(reader, org, { ids: names.ids, addresses })),
    ),
    section('browsers', 'Browsers', 'Enrolled browsers. Reported by the agent.', observed(browsers)),
    section(
      'accounts',
      'Accounts',
      'Accounts in known apps, seen at logins. Passwords are never stored.',
      observed(accounts),
    ),
    section(
      'sharedAccounts',
      'Accounts of others',
      'Accounts that somebody else used first and that this person also uses.',
      accountsOfOthersUsedBy(reader, org, id),
    ),
    section('accountsOther', 'Accounts in other apps', 'Seen at logins.', observed(accountsOther)),
    section(
      'browserExtensions',
      'Browser extensions',
      'Extensions installed in the browsers.',
      observed(browserExtensions),
    ),
    section(
      'recordsOfOthers',
      'Records of others',
      'Accounts and browsers of others that have an address of the person.',
      recordsOfOthers(reader, org, names),
    ),
    section('findings', 'Findings', 'Weak points of accounts, derived from logins.', observed(findings)),
    section('detections', 'Detections', 'Threats seen in the browsers.', observed(detections)),
    section(
      'work',
      'Work on findings and detections',
      'Notes, assignments and decisions of administrators.',
      workOn(db, org, id, names),
    ),
    section(
      'ownedApps',
      'Owned apps',
      'Apps of which the person is the owner.',
      read(() => findRecords(reader, apps, org, 'ownerId', names.ids)),
    ),
    section(
      'enrollmentLinks',
      'Enrollment links',
      'Links that were created to enroll a browser.',
      read(() => enrollmentLinksOf(reader, org, names.ids)),
    ),
    section(
      'stolenCredentials',
      'Stolen credentials',
      'Entries of stolen-credential lists with an address of the person. The passwords are not stored.',
      read(() => stolenCredentialsOf(reader, org, hmacs)),
    ),
    section(
      'administrator',
      'Administrator',
      'Console access with an address of the person.',
      read(() => administratorsOf(db, org, addresses)),
    ),
    section(
      'apiKeys',
      'API keys',
      'Active API keys that the person holds, without the keys.',
      read(() => apiKeysOf(db, org, addresses, nowSeconds)),
    ),
    section(
      'notices',
      'E-mails',
      'E-mails sent to the person.',
      read(() => noticesTo(reader, org, addresses)),
    ),
    section(
      'savedFilters',
      'Saved filters',
      'Searches for the person that administrators have saved.',
      read(() => savedFiltersNaming(reader, org, names)),
    ),
    section(
      'rawEvents',
      'Reports of browsers',
      'Reports of the browsers as received, and reports of other browsers that name the person.',
      rawEventsOf(reader, org, names),
    ),
    section(
      'events',
      'Events for other systems',
      'Events about the person for webhooks and streams.',
      storedEventsNaming(reader, org, names),
    ),
    section(
      'auditTrail',
      'Audit trail',
      'Acts of administrators that name the person.',
      auditEntriesNaming(reader, org, names),
    ),
  ]
}

async function* recordsOfOthers(
  reader: Reader,
  org: number,
  names: PersonIdentifiers,
): AsyncGenerator<readonly object[]> {
  for (const collection of [accounts, accountsOther, browsers])
    yield* recordsNaming(reader, collection, org, names)
}

/** Returns the histories of the findings and detections of a person, then notes on those of others that name the person. */
async function* workOn(
  db: Db,
  org: number,
  employeeId: string,
  names: PersonIdentifiers,
): AsyncGenerator<readonly object[]> {
  const own = new Set<string>()
  for (const collection of [findings, detections])
    for await (const page of recordsOfEmployee<{ id: string }>(db, collection, org, employeeId)) {
      const ids = page.map(({ id }) => id)
      for (const id of ids) own.add(id)
      const entries = await workEntriesOf(db.slow, org, ids)
      if (entries.length > 0) yield entries
    }
  const notes = await notesOnOthers(db.slow, org, names, (id) => own.has(id))
  if (notes.length > 0) yield notes
}

async function administratorsOf(db: Db, org: number, addresses: readonly string[]): Promise<object[]> {
  const rows = await Promise.all(addresses.map((address) => findAdministratorByEmail(db, org, address)))
  return rows.flatMap((row) =>
    row
      ? [
          {
            id: row.id,
            email: row.email,
            name: row.name,
            role: row.role,
            creationTimestamp: row.creationTimestamp,
            lastSignInTimestamp: row.lastSignInTimestamp,
          },
        ]
      : [],
  )
}

async function apiKeysOf(
  db: Db,
  org: number,
  addresses: readonly string[],
  nowSeconds: number,
): Promise<object[]> {
  const keys = await listActiveApiKeys(db, nowSeconds, org)
  return keys
    .filter(({ holder }) => addresses.includes(foldCase(holder)))
    .map(({ id, name, permission, creationTimestamp, lastUsedTimestamp }) => ({
      id,
      name,
      permission,
      creationTimestamp,
      lastUsedTimestamp,
    }))
}
