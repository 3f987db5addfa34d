import { hash } from 'node:crypto'
import type { Collection, Filter } from '@muster/contract/api/collection'
import type { TObject } from 'typebox'
import { foldCase } from '../lib/fold-case.ts'
import { appSortName, loginMethodBits, mfaState, personSortName, severityRank } from './derived-columns.ts'
import type { Param } from './sql.ts'

/**
 * Table of a collection, derived from the contract. Each row has its organization (`org`), its sequence number (`seq`), its ID,
 * the record exactly as `/v1` returns it, and a column for each member that a filter uses.
 */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly sides: readonly Side[]
  readonly internal: readonly InternalColumnDefinition[]
  /** Selects a record by org and ID. It is the most frequent statement, so its text is built only once. */
  readonly recordById: string
}

export interface Column {
  readonly name: string
  readonly member: string
  readonly type: 'text' | 'integer'
  /** `exact`: equality; `range`: a window of time; `substring`: any part of the text, without case. */
  readonly search: 'exact' | 'range' | 'substring'
  /** True if the member can be null. Such rows are not in the column's index, since no filter matches them. */
  readonly nullable: boolean
}

/** Side table of an array member: one row per value. A rare value costs a lookup instead of a scan. */
export interface Side {
  readonly table: string
  readonly member: string
  readonly foldsCase: boolean
}

/** Declares a column that is not part of the public record. */
export interface InternalColumnDefinition {
  readonly name: string
  readonly type: 'text' | 'integer'
  readonly indexed?: boolean
  /** Computes the value from the record. Such a column is never null and cannot be set. */
  readonly derive?: (record: Readonly<Record<string, unknown>>) => NonNullable<Param>
  /** Name of the console's sort that uses this column. */
  readonly sorts?: string
}

/** Returns the key by which a reported login finds its account: the app, and the address in lower case. */
export const loginKeyOf = (appId: string, email: string): string => `${appId} ${foldCase(email)}`

/** The employee that a record was observed with, if the record shows another one (the primary employee of a merge). */
const owner: InternalColumnDefinition = { name: 'owner', type: 'text' }

const loginKey = { name: 'login_key', type: 'text', indexed: true } as const

const loginMethods: InternalColumnDefinition = {
  name: 'login_methods',
  type: 'integer',
  indexed: true,
  derive: loginMethodBits,
}

/** Highest score of the open findings of a record; null without one. Computed by `modules/risk`. */
const riskScore: InternalColumnDefinition = {
  name: 'risk_score',
  type: 'integer',
  indexed: true,
  sorts: 'risk',
}

const sortName = { name: 'sort_name', type: 'text', indexed: true } as const

/** Internal columns by collection. */
const internalColumns: Readonly<Record<string, readonly InternalColumnDefinition[]>> = {
  blockedUrls: [{ name: 'url', type: 'text', indexed: true, derive: ({ url }) => indexedText(String(url)) }],
  employees: [
    { name: 'typed_history', type: 'text' },
    { ...sortName, sorts: 'name', derive: personSortName },
    riskScore,
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
    riskScore,
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
    // Timestamps of the events that reported the facts and the list of extensions.
    { name: 'facts_timestamp', type: 'integer' },
    { name: 'extensions_timestamp', type: 'integer' },
  ],
  browserExtensions: [owner],
  findings: [
    owner,
    { name: 'priority_score', type: 'integer', indexed: true, sorts: 'priority' },
    // Rules that match, separated by commas.
    { name: 'priority_rules', type: 'text' },
  ],
  detections: [
    owner,
    { name: 'subject', type: 'text', indexed: true },
    // Timestamps of the first and the last event.
    { name: 'observed_since', type: 'integer' },
    { name: 'observed_activity', type: 'integer' },
    { name: 'severity_rank', type: 'integer', indexed: true, sorts: 'severity', derive: severityRank },
  ],
  incidents: [
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

/** Definitions of further indexes, after `CREATE INDEX`, by collection. */
export const furtherIndexes: Readonly<Record<string, readonly string[]>> = {
  // Finds the last use of an app.
  accounts: [
    'accounts_last_use ON accounts (org, app_id, last_used_timestamp) WHERE last_used_timestamp IS NOT NULL',
  ],
  // Finds the employees with an active browser.
  browsers: ['browsers_active_employee ON browsers (org, employee_id) WHERE is_active = 1'],
  findings: [
    // Finds the highest score of an app.
    'findings_app_priority ON findings (org, app_id, priority_score) WHERE priority_score IS NOT NULL',
    // Counts closed findings by day.
    "findings_resolved ON findings (org, type, last_updated_timestamp, seq) WHERE state = 'RESOLVED'",
  ],
}

/** Converts `lastUsedTimestamp` to `last_used_timestamp`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const tables = new Map<Collection, Table>()

/** Returns the table of a collection. */
export function tableOf(collection: Collection): Table {
  const known = tables.get(collection)
  if (known) return known
  const table = deriveTable(collection)
  tables.set(collection, table)
  return table
}

function deriveTable(collection: Collection): Table {
  const name = snakeCase(collection.name)
  const columns = new Map<string, Column>()
  const sides = new Map<string, Side>()
  for (const filter of Object.values(collection.filters)) {
    // The creation window is a range of the key and needs no column.
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
    internal: internalColumns[collection.name] ?? [],
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
  /** True if the index includes rows without a value. */
  readonly indexesNulls: boolean
}

/** Returns the column of a sort; undefined for a sort by creation. */
export function sortColumnOf(table: Table, sort: string): SortColumn | undefined {
  const derived = table.internal.find(({ sorts }) => sorts === sort)
  // A row that an older version wrote during a rolling upgrade has no value until the next start.
  if (derived) return { name: derived.name, type: derived.type, nullable: true, indexesNulls: true }
  const column = table.columns.find(({ member }) => member === sort)
  return column && { ...column, indexesNulls: false }
}

/** Returns the name of the index on a column. */
export const indexOf = (table: Table, column: string): string => `${table.name}_by_${column}`
/** Returns the name of the index on IDs. */
export const idIndexOf = (table: Table): string => `${table.name}_id`
/** Returns the name of the narrow index in creation order, which makes skipping rows cheap. */
export const scanIndexOf = (table: Table): string => `${table.name}_walk`
/** Returns the name of the SQLite table that indexes the substrings of a column. */
export const substringTableOf = (table: Table, column: string): string => `${table.name}_${column}_substrings`

/** SQLite table of texts that are not in those tables yet. */
export const pendingSubstrings = 'waiting_substrings'

/** Returns the filter that selects hidden records, which lists leave out otherwise. */
export const hiddenRecordsFilterOf = (collection: Collection): string =>
  collection.name === 'employees' ? 'mergedIntoId' : ''

/** Longer texts are indexed by their hash: PostgreSQL rejects index entries over 2,704 bytes. */
const indexedTextMaximum = 256

/** Returns the indexed form of a text: the text itself, or its hash if it is long. */
export const indexedText = (text: string): string =>
  text.length <= indexedTextMaximum ? text : `sha256:${hash('sha256', text, 'base64url')}`
