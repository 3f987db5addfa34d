import type { App } from '@muster/contract/records/app'
import { type Detection, detections } from '@muster/contract/records/detection'
import { type RiskRuleId, type RiskWeights, riskRules } from '@muster/contract/risk/risk-rules'
import type { Reader } from '../../kernel/store/sql.ts'
import { indexOf, tableOf } from '../../kernel/store/tables.ts'
import type { IdentityTest } from '../apps/identity.service.ts'

/** Reads the points that an organization has changed. */
export async function readWeights(db: Reader, org: number): Promise<RiskWeights> {
  const rows = await db.all<{ rule: string; points: number }>(
    'SELECT rule, points FROM risk_weights WHERE org = ? ORDER BY rule',
    [org],
  )
  // A newer version may have stored rules that this one does not know.
  const known = rows.filter(({ rule }) => rule in riskRules)
  return Object.fromEntries(known.map(({ rule, points }) => [rule as RiskRuleId, points]))
}

/** Reads the sensitivity of apps, by ID. */
export async function sensitivities(
  db: Reader,
  org: number,
  appIds: readonly string[],
): Promise<ReadonlyMap<string, App['sensitivityLevel']>> {
  const rows = await db.all<{ id: string; level: App['sensitivityLevel'] }>(
    `SELECT t.id AS id, t.sensitivity_level AS level FROM ${db.dialect.seekByValues('apps', 'id', 'apps_id')}`,
    [JSON.stringify(appIds), org],
  )
  return new Map(rows.map(({ id, level }) => [id, level]))
}

/** Returns the key of an employee and an app. */
export const phishedKey = (employeeId: string, appId: string): string => `${employeeId} ${appId}`

const harmless: readonly Detection['classification'][] = ['BENIGN_TRUE_POSITIVE', 'FALSE_POSITIVE']

/**
 * Reads which employees entered a password on a phishing page that imitated an app, while the detection is open. Such
 * detections are critical.
 *
 * @returns keys of `phishedKey`
 */
export async function phishedApps(
  db: Reader,
  org: number,
  employeeIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const table = tableOf(detections)
  const source = db.dialect.seekByValues(table.name, 'employee_id', indexOf(table, 'employee_id'))
  const rows = await db.all<{ record: string }>(
    `SELECT t.record AS record FROM ${source} WHERE t.detection_type = 'PHISHING' AND t.severity = 'CRITICAL' AND t.archived = 0`,
    [JSON.stringify(employeeIds), org],
  )
  const open = rows
    .map(({ record }) => JSON.parse(record) as Detection)
    .filter(({ classification }) => !harmless.includes(classification))
  return new Set(
    open.flatMap(({ employeeId, appId }) => (appId === null ? [] : [phishedKey(employeeId, appId)])),
  )
}

/** Returns which of the accounts have an address outside the organization as their name. */
export async function privateAccounts(
  db: Reader,
  org: number,
  accountIds: readonly string[],
  isOf: IdentityTest,
): Promise<ReadonlySet<string>> {
  const test = isOf('PRIVATE', 't.email', 't.org')
  const rows = await db.all<{ id: string }>(
    `SELECT t.id AS id FROM ${db.dialect.seekByValues('accounts', 'id', 'accounts_id')} WHERE ${test.sql}`,
    [JSON.stringify(accountIds), org, ...test.params],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns the highest scores of the findings of employees, by employee. */
export async function employeeScores(
  db: Reader,
  org: number,
  employeeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const source = db.dialect.seekByValues('findings', 'employee_id', 'findings_by_employee_id')
  const rows = await db.all<{ id: string; score: number }>(
    `SELECT t.employee_id AS id, max(t.priority_score) AS score FROM ${source} WHERE t.priority_score IS NOT NULL GROUP BY t.employee_id`,
    [JSON.stringify(employeeIds), org],
  )
  return new Map(rows.map(({ id, score }) => [id, score]))
}
