import type { Collection, Filter } from '@muster/contract/collection'
import type { TObject } from 'typebox'
import { foldCase } from '../lib/fold-case.ts'
import { appSortName, loginMethodBits, mfaState, personSortName, severityRank } from './derived-columns.ts'
import { indexedText } from './indexed-text.ts'
import type { Param } from './sql.ts'

/**
 * The tables that follow from the collections. Every row belongs to an organization (`org`), has its
 * place in the order of creation (`seq`), its id, the record exactly as `/v1` shows it, and one
 * column for each member that a filter looks at.
 */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly sides: readonly Side[]
  readonly privates: readonly PrivateColumn[]
  /** Selects a record by org and id: the statement that is run most, so its text is made once. */
  readonly recordById: string
}

export interface Column {
  readonly name: string
  readonly member: string
  readonly type: 'text' | 'integer'
  /** `exact`: equality; `range`: a window of time; `substring`: any part of the text, without case. */
  readonly search: 'exact' | 'range' | 'substring'
  /** The member may be null; such rows are left out of the column's index, which no filter asks for them. */
  readonly nullable: boolean
}

/** The values of an array member, a row each, so that a rare value costs a seek and not a scan. */
export interface Side {
  readonly table: string
  readonly member: string
  readonly foldsCase: boolean
}

/** What a row knows beyond its public record. */
export interface PrivateColumn {
  readonly name: string
  readonly type: 'text' | 'integer'
  readonly indexed?: boolean
  /** For a column that follows from the record: it is written with it and cannot be set. Never null. */
  readonly derive?: (record: Readonly<Record<string, unknown>>) => NonNullable<Param>
  /** Name of the console's sort that uses this column. */
  readonly sorts?: string
}

/** What an account is found by when a login is reported: its app, and its address without case. */
export const loginKeyOf = (appId: string, email: string): string => `${appId} ${foldCase(email)}`

/** The employee that a record was observed with, while another (the primary of a merge) is shown. */
const owner: PrivateColumn = { name: 'owner', type: 'text' }

const loginKey = { name: 'login_key', type: 'text', indexed: true } as const

const loginMethods: PrivateColumn = {
  ...{ name: 'login_methods', type: 'integer', indexed: true },
  derive: loginMethodBits,
}

const sortName = { name: 'sort_name', type: 'text', indexed: true } as const

/** One place names every private column. */
const privateColumns: Readonly<Record<string, readonly PrivateColumn[]>> = {
  blockedUrls: [{ name: 'url', type: 'text', indexed: true, derive: ({ url }) => indexedText(String(url)) }],
  employees: [
    { name: 'typed_history', type: 'text' },
    { ...sortName, sorts: 'name', derive: personSortName },
  ],
  apps: [{ ...sortName, sorts: 'friendlyName', derive: appSortName }],
  accounts: [
    owner,
    { ...loginKey, derive: ({ appId, email }) => loginKeyOf(String(appId), String(email)) },
    { name: 'logins_without_mfa', type: 'integer' },
    { name: 'without_mfa_since', type: 'integer' },
    { name: 'methods_removed', type: 'text' },
    { name: 'mfa', type: 'integer', indexed: true, derive: mfaState },
    loginMethods,
  ],
  accountsOther: [
    owner,
    { ...loginKey, derive: ({ otherAppId, email }) => loginKeyOf(String(otherAppId), String(email)) },
    { name: 'password_id', type: 'text', indexed: true },
    loginMethods,
  ],
  appsOther: [
    { name: 'domain_key', type: 'text', indexed: true, derive: ({ domain }) => foldCase(String(domain)) },
  ],
  browsers: [
    owner,
    // The times of the events that the facts, and the list of extensions, are from.
    { name: 'facts_timestamp', type: 'integer' },
    { name: 'extensions_timestamp', type: 'integer' },
  ],
  browserExtensions: [owner],
  findings: [owner],
  detections: [
    owner,
    { name: 'subject', type: 'text', indexed: true },
    // When it was first and last seen, by the times of the events.
    { name: 'observed_since', type: 'integer' },
    { name: 'observed_activity', type: 'integer' },
    { name: 'severity_rank', type: 'integer', indexed: true, sorts: 'severity', derive: severityRank },
  ],
  usedBy: [
    { name: 'account_id', type: 'text', indexed: true },
    { name: 'employee_id', type: 'text', indexed: true },
    { name: 'owner', type: 'text' },
    { name: 'observed_last_used', type: 'integer' },
    { name: 'observed_typed', type: 'integer' },
  ],
}

/** `lastUsedTimestamp` → `last_used_timestamp`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const tables = new Map<Collection, Table>()

/** The table of a collection. */
export function tableOf(collection: Collection): Table {
  const known = tables.get(collection)
  if (known) return known
  const made = makeTable(collection)
  tables.set(collection, made)
  return made
}

function makeTable(collection: Collection): Table {
  const name = snakeCase(collection.name)
  const columns = new Map<string, Column>()
  const sides = new Map<string, Side>()
  for (const filter of Object.values(collection.filters)) {
    // The order of the rows is the order of creation: that window is a range of the key itself.
    if (filter.member === 'creationTimestamp') continue
    if (filter.kind === 'all' || filter.kind === 'has') {
      const table = `${name}_${snakeCase(filter.member)}`
      sides.set(table, { table, member: filter.member, foldsCase: filter.foldsCase ?? false })
    } else {
      columns.set(filter.member, columnOf(collection.record, filter))
    }
  }
  return {
    name,
    columns: [...columns.values()],
    sides: [...sides.values()],
    privates: privateColumns[collection.name] ?? [],
    recordById: `SELECT record FROM ${name} WHERE org = ? AND id = ?`,
  }
}

function columnOf(record: TObject, { member, kind }: Filter): Column {
  const declared = record.properties[member] as { type?: string | string[]; enum?: unknown[] } | undefined
  const types = [declared?.type ?? 'string'].flat()
  const integral = types.includes('integer') || types.includes('boolean')
  return {
    name: snakeCase(member),
    member,
    type: integral ? 'integer' : 'text',
    search: kind === 'contains' ? 'substring' : kind === 'exact' ? 'exact' : 'range',
    nullable: types.includes('null') || (declared?.enum?.includes(null) ?? false),
  }
}

/** A column that a list can be sorted by. */
export interface SortColumn {
  readonly name: string
  readonly type: 'text' | 'integer'
  readonly nullable: boolean
  /** Its index has the rows without a value, too. */
  readonly indexesNulls: boolean
}

/** Finds the column of a sort; undefined for the order of creation. */
export function sortColumnOf(table: Table, sort: string): SortColumn | undefined {
  const derived = table.privates.find(({ sorts }) => sorts === sort)
  // A row that an older version has written while both ran has no value until the next start.
  if (derived) return { name: derived.name, type: derived.type, nullable: true, indexesNulls: true }
  const column = table.columns.find(({ member }) => member === sort)
  return column && { ...column, indexesNulls: false }
}

/** The index of a column of a table. */
export const indexOf = (table: Table, column: string): string => `${table.name}_by_${column}`
/** The index by id. */
export const idIndexOf = (table: Table): string => `${table.name}_id`
/** The narrow index in the order of creation, for skipping over many rows. */
export const walkIndexOf = (table: Table): string => `${table.name}_walk`
/** The table of SQLite that finds substrings of a column. */
export const substringTableOf = (table: Table, column: string): string => `${table.name}_${column}_substrings`

/** The table of SQLite where texts wait for those tables. */
export const waitingSubstrings = 'waiting_substrings'

/** The filter that asks for the records which lists otherwise leave out. */
export const unlistedFilterOf = (collection: Collection): string =>
  collection.name === 'employees' ? 'mergedIntoId' : ''
