import { collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { rawEventTable } from '../raw-event-tables.ts'
import { substringFill } from '../substrings.ts'
import { tableOf } from '../tables.ts'

/**
 * Tables that are copied from one store to the other. Tables of the embedded store alone (counters, substrings) are derived,
 * and extensions are counted again. Organizations come first, because other tables refer to them.
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
  'risk_weights',
  'risk_states',
  'daily_figures',
  'report_subscriptions',
  'work_states',
  'work_entries',
  'request_templates',
  'organization_settings',
  'scim_tokens',
  'scim_users',
  'scim_emails',
  'scim_groups',
  'scim_members',
  'scim_removed_users',
  'alert_rules',
  'alert_items',
  'alert_groups',
] as const

/** Tables that are not copied but emptied when a copy replaces the data they belong to. */
export const emptiedTables = [
  'extension_groups',
  'extension_groups_permissions',
  'extension_counts',
  'console_sessions',
  'sign_in_failures',
  'stream_states',
] as const

/** Tables that a job fills by the marks of triggers, which are in `incident_changes`. */
const incidentTables = [
  'incidents',
  'incidents_detection_types',
  'incident_members',
  'incident_counts',
  'incident_people',
] as const

/**
 * Tables that triggers keep while other tables are copied or deleted. Each comes before those that its own triggers write.
 * `app_figure_changes` and `facet_count_changes` are on PostgreSQL only.
 */
export const triggeredTables = [
  'app_people',
  'app_figures',
  'app_figure_changes',
  'risk_changes',
  ...incidentTables,
  'incident_changes',
  'facet_counts',
  'facet_count_changes',
] as const

/** A table and the columns that it has in both stores. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * Returns the tables to copy.
 *
 * @param columnsOf returns the columns of a table
 * @param weeks weeks that have a table of raw events
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

/** Returns the statements that fill the substring indexes of the embedded store from the records. */
export const substringFills = (): string[] =>
  Object.values<Collection>(collections).flatMap((collection) => {
    const table = tableOf(collection)
    return table.columns
      .filter(({ search }) => search === 'substring')
      .map(({ name }) => substringFill(table, name))
  })
