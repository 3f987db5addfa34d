import type { Reader } from './sql.ts'

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

/** The employees of a scope as a condition on the rows of `employees` (as `e`). */
function conditionOf({ employeeIds, groups }: EmployeeScope): { sql: string; params: string[] } {
  const parts: string[] = []
  const params: string[] = []
  if (employeeIds && employeeIds.length > 0) {
    parts.push(`e.id IN (${marks(employeeIds)})`)
    params.push(...employeeIds)
  }
  if (groups && groups.length > 0) {
    parts.push(
      `e.seq IN (SELECT g.seq FROM employees_groups AS g WHERE g.org = e.org AND g.value IN (${marks(groups)}))`,
    )
    params.push(...groups)
  }
  return { sql: parts.map((part) => ` AND ${part}`).join(''), params }
}

/** How many employees a scope has, up to `most` and one more. */
export async function countEmployees(
  db: Reader,
  org: number,
  scope: EmployeeScope,
  most: number,
): Promise<number> {
  const { sql, params } = conditionOf(scope)
  const rows = `SELECT 1 FROM employees AS e WHERE e.org = ? AND e.unlisted = 0${sql} LIMIT ${most + 1}`
  return counted(db, rows, [org, ...params])
}

/** How many active browsers the employees of a scope have, up to `most` and one more. */
export async function countActiveBrowsers(
  db: Reader,
  org: number,
  scope: EmployeeScope,
  most: number,
): Promise<number> {
  const { sql, params } = conditionOf(scope)
  const owners =
    sql === ''
      ? ''
      : ` AND b.employee_id IN (SELECT e.id FROM employees AS e WHERE e.org = ? AND e.unlisted = 0${sql})`
  const rows = `SELECT 1 FROM browsers AS b WHERE b.org = ? AND b.is_active = 1${owners} LIMIT ${most + 1}`
  return counted(db, rows, owners === '' ? [org] : [org, org, ...params])
}

async function counted(db: Reader, rows: string, params: readonly (string | number)[]): Promise<number> {
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
