import { collections } from '@muster/contract/api'
import type { Collection } from '@muster/contract/collection'
import { rawEventTable } from '../raw-event-tables.ts'
import { substringFill } from '../substrings.ts'
import { tableOf } from '../tables.ts'

/**
 * The tables that are copied from one store to the other: those that hold what users put in. Those of the embedded
 * store's own (numbers, substrings) follow from them; extensions over all browsers are counted anew. Organizations come first,
 * others refer to them.
 */
const plainTables = [
  'organizations',
  'api_keys',
  'idempotency_keys',
  'employee_addresses',
  'enrollment_links',
  'stolen_credentials',
  'import_positions',
  'settings',
  'browser_credentials',
  'enrollment_tokens',
  'controls',
  'catalog_products',
  'daily_jobs',
  'administrators',
  'passkeys',
  'recovery_codes',
  'invitations',
  'api_key_hours',
  'saved_filters',
  'extension_names',
  'events',
  'webhooks',
  'webhook_wishes',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_hours',
  'audit_events',
  'audit_heads',
  'api_deprecations',
  'notices',
] as const

/** Tables that are not copied, and are emptied where a copy takes the place of what they go with. */
export const emptiedTables = [
  'extension_groups',
  'extension_groups_permissions',
  'extension_counts',
  'console_sessions',
  'sign_in_failures',
  'stream_states',
] as const

/** A table and its columns, the same in both stores. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * @param columnsOf gives the columns of a table
 * @param weeks the weeks that have a table of raw events, which must be there
 */
export function copiedTables(
  columnsOf: (table: string) => readonly string[],
  weeks: readonly number[],
): CopiedTable[] {
  const ofCollections = Object.values<Collection>(collections).flatMap((collection) => {
    const { name, sides } = tableOf(collection)
    return [name, ...sides.map(({ table }) => table)]
  })
  const names = [...plainTables, ...ofCollections, 'raw_event_weeks', ...weeks.map(rawEventTable)]
  return names.map((name) => ({ name, columns: columnsOf(name) }))
}

/** The statements that fill the substring tables of the embedded store from the records. */
export const substringFills = (): string[] =>
  Object.values<Collection>(collections).flatMap((collection) => {
    const table = tableOf(collection)
    return table.columns
      .filter(({ search }) => search === 'substring')
      .map(({ name }) => substringFill(table, name))
  })
