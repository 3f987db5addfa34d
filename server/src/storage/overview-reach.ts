import type { Param, Reader } from './sql.ts'

/** The tables that hold the values of an array member, a row each. */
const valueTables = { groups: 'employees_groups', labels: 'apps_labels' } as const

/** The different values of an array member in their order, `most` of them; each costs one seek. */
export async function distinctValues(
  db: Reader,
  org: number,
  what: keyof typeof valueTables,
  most: number,
): Promise<string[]> {
  const table = valueTables[what]
  const sql = `WITH RECURSIVE found (value) AS (
    SELECT min(value) FROM ${table} WHERE org = ?
    UNION ALL
    SELECT (SELECT min(value) FROM ${table} WHERE org = ? AND value > found.value) FROM found WHERE found.value IS NOT NULL
  ) SELECT value FROM found WHERE value IS NOT NULL LIMIT ${most}`
  return (await db.all<{ value: string }>(sql, [org, org])).map(({ value }) => value)
}

/** Employees by what rules name: all that is named must fit, of each list one. */
export interface EmployeeScope {
  readonly employeeIds?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/**
 * The employees of a scope as `t`. From groups it goes to their employees one by one: what only says that an employee
 * is in a group can be answered by reading the whole group again for each employee.
 */
function employeesIn({ dialect }: Reader, org: number, { employeeIds = [], groups = [] }: EmployeeScope) {
  const named = employeeIds.length > 0 ? `t.id IN (${marks(employeeIds)})` : '1 = 1'
  if (groups.length === 0) {
    const where = `t.org = ? AND t.unlisted = 0 AND ${named}`
    return { from: 'employees AS t', fromParams: [], where, params: [org, ...employeeIds] }
  }
  const members = `(SELECT DISTINCT seq FROM employees_groups WHERE org = ? AND value IN (${marks(groups)})) AS d`
  return {
    from: dialect.lookup(members, 'employees', 'd.seq'),
    fromParams: [org, ...groups, org, 0],
    where: named,
    params: employeeIds,
  }
}

/** How many employees a scope has, up to `most` and one more. */
export async function countEmployees(
  db: Reader,
  org: number,
  scope: EmployeeScope,
  most: number,
): Promise<number> {
  const { from, fromParams, where, params } = employeesIn(db, org, scope)
  return counted(db, `SELECT 1 FROM ${from} WHERE ${where} LIMIT ${most + 1}`, [...fromParams, ...params])
}

/** How many active browsers the employees of a scope have, up to `most` and one more. */
export async function countActiveBrowsers(
  db: Reader,
  org: number,
  scope: EmployeeScope,
  most: number,
): Promise<number> {
  const active = 'org = ? AND is_active = 1'
  if (!scope.employeeIds?.length && !scope.groups?.length)
    return counted(db, `SELECT 1 FROM browsers WHERE ${active} LIMIT ${most + 1}`, [org])
  const { from, fromParams, where, params } = employeesIn(db, org, scope)
  const theirs =
    db.dialect.name === 'sqlite'
      ? `browsers AS b INDEXED BY browsers_by_employee_id ON b.${active} AND b.employee_id = t.id`
      : `LATERAL (SELECT 1 FROM browsers WHERE ${active} AND employee_id = t.id OFFSET 0) AS b`
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
