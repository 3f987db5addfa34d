import type { Collection } from '@muster/contract/api/collection'
import type { ConsoleLoginMethod } from '@muster/contract/console/login-methods'
import { everySitePatterns } from '@muster/contract/console/permission-risk'
import { type ScoreRange, scoresOf, scoresOfLevel } from '@muster/contract/risk/risk-levels'
import { bitsWithAny, mfaStates } from '../store/derived-columns.ts'
import { memberValue } from '../store/member-text.ts'
import type { Dialect, Param } from '../store/sql.ts'
import { idIndexOf, indexOf, type Table, tableOf } from '../store/tables.ts'
import { sideValue } from '../store/values.ts'
import { type Fragment, type Predicate, sideOf, unorderedPath } from './predicates.ts'

interface Scope {
  readonly table: Table
  readonly dialect: Dialect
}

type MakePredicate = (scope: Scope, values: readonly unknown[]) => Predicate | undefined

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/** Returns a predicate on an indexed column. `condition` takes the name of the column. */
function onColumn(
  { table, dialect }: Scope,
  column: string,
  index: string,
  condition: (column: string) => string,
  params: readonly Param[],
): Predicate {
  const from = `${table.name} d${dialect.indexedBy(index)}`
  return {
    test: { sql: condition(`t.${column}`), params },
    path: unorderedPath(from, `d.org = ? AND ${condition(`d.${column}`)}`, params),
  }
}

const oneOfValues = (scope: Scope, column: string, index: string, values: readonly Param[]): Predicate =>
  onColumn(scope, column, index, (name) => `${name} IN (${placeholders(values)})`, values)

/** Returns a predicate for a boolean filter; undefined if both values are selected. */
function booleanPredicate(values: readonly unknown[], { sql, params }: Fragment): Predicate | undefined {
  if (new Set(values).size > 1) return undefined
  return { test: { sql: values[0] === true ? sql : `NOT ${sql}`, params } }
}

/** Returns an EXISTS condition. `OFFSET 0` keeps PostgreSQL from turning it into a join. */
const exists = (rows: string, ...params: Param[]): Fragment => ({
  sql: `EXISTS (SELECT 1 FROM ${rows} LIMIT 1 OFFSET 0)`,
  params,
})

const byLoginMethod: MakePredicate = (scope, methods) =>
  oneOfValues(
    scope,
    'login_methods',
    indexOf(scope.table, 'login_methods'),
    bitsWithAny(methods as ConsoleLoginMethod[]),
  )

/** Returns a filter for rows whose array member contains one of the values. */
const anyElement =
  (member: string) =>
  ({ table }: Scope, values: readonly unknown[]): Predicate => {
    const side = sideOf(table, member)
    const elements = [...new Set(values.map((value) => sideValue(side, String(value))))]
    const hasOne = `value IN (${placeholders(elements)})`
    return {
      test: exists(`${side.table} s WHERE s.org = t.org AND s.seq = t.seq AND s.${hasOne}`, ...elements),
      path: unorderedPath(
        `(SELECT DISTINCT org, seq FROM ${side.table} WHERE org = ? AND ${hasOne}) AS d`,
        '1 = 1',
        elements,
      ),
    }
  }

const byEverySite: MakePredicate = (scope, values) => {
  const every = anyElement('hostPermissions')(scope, everySitePatterns)
  return values.includes(false) ? booleanPredicate(values, every.test) : every
}

/** Returns a filter by the ranges of a score. A value without a range stands for rows without a score. */
const byScore =
  <V extends string>(column: string, rangeOf: (value: V) => ScoreRange | undefined): MakePredicate =>
  (scope, values) => {
    const ranges = (values as V[]).map(rangeOf)
    const params = ranges.flatMap((range) => range?.filter((bound) => bound !== undefined) ?? [])
    const condition = (name: string) => `(${ranges.map((range) => inRange(name, range)).join(' OR ')})`
    return onColumn(scope, column, indexOf(scope.table, column), condition, params)
  }

const inRange = (name: string, range: ScoreRange | undefined): string => {
  if (range === undefined) return `${name} IS NULL`
  return range[1] === undefined ? `${name} >= ?` : `(${name} >= ? AND ${name} < ?)`
}

const byRisk = byScore('risk_score', scoresOfLevel)

const ofEmployee = 'e.org = t.org AND e.id = t.employee_id'

const consolePredicates: Readonly<Record<string, Readonly<Record<string, MakePredicate>>>> = {
  employees: {
    activeBrowser: ({ dialect }, values) =>
      booleanPredicate(
        values,
        exists(
          `browsers b${dialect.indexedBy('browsers_active_employee')} WHERE b.org = t.org AND b.employee_id = t.id AND b.is_active = 1`,
        ),
      ),
    employeeId: (scope, values) => oneOfValues(scope, 'id', idIndexOf(scope.table), values.map(String)),
    group: anyElement('groups'),
    risk: byRisk,
  },
  accounts: {
    mfa: (scope, values) => {
      const states = values.map((value) => mfaStates[value as keyof typeof mfaStates])
      // A row that an older version wrote during a rolling upgrade has no state.
      const includesNull = states.includes(mfaStates.UNKNOWN)
      const condition = (name: string) =>
        includesNull
          ? `(${name} IN (${placeholders(states)}) OR ${name} IS NULL)`
          : `${name} IN (${placeholders(states)})`
      return onColumn(scope, 'mfa', indexOf(scope.table, 'mfa'), condition, states)
    },
    loginMethod: byLoginMethod,
    risk: byRisk,
    passwordSeen: (_, values) => booleanPredicate(values, { sql: '(t.password_id IS NOT NULL)', params: [] }),
  },
  accountsOther: { loginMethod: byLoginMethod },
  browsers: {
    licensed: (_, values) =>
      booleanPredicate(values, exists(`employees e WHERE ${ofEmployee} AND e.licensed = 1`)),
    group: (_, values) => ({
      test: exists(
        `employees e CROSS JOIN employees_groups g WHERE ${ofEmployee} AND g.org = e.org AND g.seq = e.seq AND g.value IN (${placeholders(values)})`,
        ...values.map((value) => sideValue({ foldsCase: false }, String(value))),
      ),
    }),
    majorVersion: ({ dialect }, values) => {
      const version = memberValue(dialect, 'version')
      const matches = values.map(() => `(${version} = ? OR substr(${version}, 1, length(?)) = ?)`)
      const params = values.flatMap((value) => [String(value), `${value}.`, `${value}.`])
      return { test: { sql: `(${matches.join(' OR ')})`, params } }
    },
    agentVersion: ({ dialect }, values) => ({
      test: {
        sql: `${memberValue(dialect, 'extensionVersion')} IN (${placeholders(values)})`,
        params: values.map(String),
      },
    }),
  },
  browserExtensions: { everySite: byEverySite },
  findings: { priority: byScore('priority_score', scoresOf) },
  apps: { anyLabel: anyElement('labels') },
}

const exceptIds: MakePredicate = (_, values) => ({
  test: { sql: `t.id NOT IN (${placeholders(values)})`, params: values.map(String) },
})

/** True for a filter that only the console has, or that has several values although `/v1` accepts one. */
export const isConsoleFilter = ({ name, filters }: Collection, filter: string, value: unknown): boolean =>
  filters[filter] === undefined || (Array.isArray(value) && consolePredicates[name]?.[filter] !== undefined)

/** Returns the predicate of a console filter; undefined if every record meets it. */
export function consoleFilterPredicate(
  collection: Collection,
  filter: string,
  value: unknown,
  dialect: Dialect,
): Predicate | undefined {
  const make = filter === 'except' ? exceptIds : consolePredicates[collection.name]?.[filter]
  if (!make) throw new Error(`${collection.name} has no filter ${filter}`)
  return make({ table: tableOf(collection), dialect }, [value].flat())
}
