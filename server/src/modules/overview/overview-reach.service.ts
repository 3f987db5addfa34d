import type { Param, Reader } from '../../kernel/store/sql.ts'
import { countLicensedBrowsers } from './overview-counts.service.ts'

/** Employees selected by a rule: must match every given list, each with one of its values. */
export interface EmployeeScope {
  readonly employeeIds?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
}

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/**
 * Returns SQL for the licensed employees of a scope, as `t`. Dormant browsers of other employees are out of reach of
 * controls. Groups are joined by lookup: with a condition, the planner may scan the whole group for each employee.
 */
function employeesIn({ dialect }: Reader, org: number, { employeeIds = [], groups = [] }: EmployeeScope) {
  const named = employeeIds.length > 0 ? `t.id IN (${placeholders(employeeIds)})` : '1 = 1'
  if (groups.length === 0) {
    const where = `t.org = ? AND t.unlisted = 0 AND t.licensed = 1 AND ${named}`
    return { from: 'employees AS t', fromParams: [], where, params: [org, ...employeeIds] }
  }
  const members = `(SELECT DISTINCT seq FROM employees_groups WHERE org = ? AND value IN (${placeholders(groups)})) AS d`
  return {
    from: dialect.joinBySeq(members, 'employees', 'd.seq'),
    fromParams: [org, ...groups, org, 0],
    where: `t.licensed = 1 AND ${named}`,
    params: employeeIds,
  }
}

/** Counts the licensed employees of a scope. */
export async function countEmployees(db: Reader, org: number, scope: EmployeeScope): Promise<number> {
  const { from, fromParams, where, params } = employeesIn(db, org, scope)
  return countRows(db, `SELECT 1 FROM ${from} WHERE ${where}`, [...fromParams, ...params])
}

/** Counts the active browsers of the licensed employees of a scope. */
export async function countActiveBrowsers(db: Reader, org: number, scope: EmployeeScope): Promise<number> {
  if (!scope.employeeIds?.length && !scope.groups?.length) return countLicensedBrowsers(db, org)
  const { from, fromParams, where, params } = employeesIn(db, org, scope)
  const browsersOfEmployee = db.dialect.indexedJoin({
    table: 'browsers',
    alias: 'b',
    index: 'browsers_by_employee_id',
    columns: '1',
    where: ['org = ?', 'is_active = 1', 'employee_id = t.id'],
  })
  const rows = `SELECT 1 FROM ${from} CROSS JOIN ${browsersOfEmployee} WHERE ${where}`
  return countRows(db, rows, [...fromParams, org, ...params])
}

async function countRows(db: Reader, rows: string, params: readonly Param[]): Promise<number> {
  const sql = `SELECT count(*) AS count FROM (${rows}) AS r`
  return (await db.get<{ count: number }>(sql, params))?.count ?? 0
}

/** Counts the browsers with an extension, and returns the newest record of it. */
export async function countExtension(
  db: Reader,
  org: number,
  extensionId: string,
): Promise<{ count: number; record: string | undefined }> {
  const index = db.dialect.indexedBy('browser_extensions_by_extension_id')
  const from = `FROM browser_extensions${index} WHERE org = ? AND extension_id = ?`
  const count = await countRows(db, `SELECT seq ${from}`, [org, extensionId])
  if (count === 0) return { count, record: undefined }
  const row = await db.get<{ record: string }>(`SELECT record ${from} ORDER BY seq DESC LIMIT 1`, [
    org,
    extensionId,
  ])
  return { count, record: row?.record }
}
