import type { Param, Reader } from '../../kernel/store/sql.ts'

/** Employees by what rules name: all that is named must fit, of each list one. */
export interface EmployeeScope {
  readonly employeeIds?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/**
 * The licensed employees of a scope as `t`; browsers of others are dormant, and no control reaches them. From groups it goes to their employees one by one: what only says that an employee
 * is in a group can be answered by reading the whole group again for each employee.
 */
function employeesIn({ dialect }: Reader, org: number, { employeeIds = [], groups = [] }: EmployeeScope) {
  const named = employeeIds.length > 0 ? `t.id IN (${marks(employeeIds)})` : '1 = 1'
  if (groups.length === 0) {
    const where = `t.org = ? AND t.unlisted = 0 AND t.licensed = 1 AND ${named}`
    return { from: 'employees AS t', fromParams: [], where, params: [org, ...employeeIds] }
  }
  const members = `(SELECT DISTINCT seq FROM employees_groups WHERE org = ? AND value IN (${marks(groups)})) AS d`
  return {
    from: dialect.joinBySeq(members, 'employees', 'd.seq'),
    fromParams: [org, ...groups, org, 0],
    where: `t.licensed = 1 AND ${named}`,
    params: employeeIds,
  }
}

/** Counts the licensed employees of a scope, up to `most` and one more. */
export async function countEmployees(
  db: Reader,
  org: number,
  scope: EmployeeScope,
  most: number,
): Promise<number> {
  const { from, fromParams, where, params } = employeesIn(db, org, scope)
  return counted(db, `SELECT 1 FROM ${from} WHERE ${where} LIMIT ${most + 1}`, [...fromParams, ...params])
}

/** Counts the active browsers of the licensed employees of a scope, up to `most` and one more. */
export async function countActiveBrowsers(
  db: Reader,
  org: number,
  scope: EmployeeScope,
  most: number,
): Promise<number> {
  if (!scope.employeeIds?.length && !scope.groups?.length) {
    const licensed = `EXISTS (SELECT 1 FROM employees e WHERE e.org = b.org AND e.id = b.employee_id AND e.licensed = 1 LIMIT 1 OFFSET 0)`
    const from = `browsers b${db.dialect.indexedBy('browsers_by_is_active')}`
    const rows = `SELECT 1 FROM ${from} WHERE b.org = ? AND b.is_active = 1 AND ${licensed} LIMIT ${most + 1}`
    return counted(db, rows, [org])
  }
  const { from, fromParams, where, params } = employeesIn(db, org, scope)
  const theirs = db.dialect.indexedJoin({
    table: 'browsers',
    alias: 'b',
    index: 'browsers_by_employee_id',
    columns: '1',
    where: ['org = ?', 'is_active = 1', 'employee_id = t.id'],
  })
  const rows = `SELECT 1 FROM ${from} CROSS JOIN ${theirs} WHERE ${where} LIMIT ${most + 1}`
  return counted(db, rows, [...fromParams, org, ...params])
}

async function counted(db: Reader, rows: string, params: readonly Param[]): Promise<number> {
  const sql = `SELECT count(*) AS count FROM (${rows}) AS r`
  return (await db.get<{ count: number }>(sql, params))?.count ?? 0
}

/** In how many browsers an extension is, up to `most` and one more, and what it calls itself in one of them. */
export async function countExtension(
  db: Reader,
  org: number,
  extensionId: string,
  most: number,
): Promise<{ count: number; record: string | undefined }> {
  const index = db.dialect.indexedBy('browser_extensions_by_extension_id')
  const from = `FROM browser_extensions${index} WHERE org = ? AND extension_id = ?`
  const count = await counted(db, `SELECT 1 ${from} LIMIT ${most + 1}`, [org, extensionId])
  if (count === 0) return { count, record: undefined }
  const row = await db.get<{ record: string }>(`SELECT record ${from} ORDER BY seq DESC LIMIT 1`, [
    org,
    extensionId,
  ])
  return { count, record: row?.record }
}
