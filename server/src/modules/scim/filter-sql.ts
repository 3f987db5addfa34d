import type { Param, Reader } from '../../kernel/store/sql.ts'
import type { CompareOperator, Filter } from './protocol/filter-parse.rules.ts'
import type { ResourceType, Target } from './protocol/scim-schema.rules.ts'

/** Condition on the rows of a type. */
export interface SqlFilter {
  readonly sql: string
  readonly params: readonly Param[]
  /** True if the condition is the filter itself; false if it holds for further rows, which have to be tested. */
  readonly isExact: boolean
}

/** Organization and dialect of a query. */
interface QueryContext {
  readonly org: number
  readonly dialect: Pick<Reader['dialect'], 'contains'>
}

/** A column by which an attribute is found. Texts are compared in the form in which the filter has them. */
interface FilterColumn {
  readonly name: string
  readonly kind: 'text' | 'flag' | 'time'
  readonly isNullable?: boolean
}

const times: Readonly<Record<string, FilterColumn>> = {
  'meta.created': { name: 'created_ms', kind: 'time' },
  'meta.lastModified': { name: 'modified_ms', kind: 'time' },
}

/** Columns of the attributes that are stored apart, by type and path. */
const columns: Readonly<Record<ResourceType['name'], Readonly<Record<string, FilterColumn>>>> = {
  User: {
    ...times,
    id: { name: 'id', kind: 'text' },
    externalId: { name: 'external_id', kind: 'text', isNullable: true },
    userName: { name: 'user_name_key', kind: 'text' },
    displayName: { name: 'display_key', kind: 'text', isNullable: true },
    active: { name: 'active', kind: 'flag' },
  },
  Group: {
    ...times,
    id: { name: 'id', kind: 'text' },
    externalId: { name: 'external_id', kind: 'text', isNullable: true },
    displayName: { name: 'name_key', kind: 'text' },
  },
}

/** Subqueries that find resources by one value of a multi-valued attribute. */
const lookups: Readonly<Record<string, string>> = {
  'emails.value': 'SELECT user_id FROM scim_emails WHERE org = ? AND address = ?',
  'groups.value': 'SELECT user_id FROM scim_members WHERE org = ? AND group_id = ?',
  'members.value': 'SELECT group_id FROM scim_members WHERE org = ? AND user_id = ?',
}

const pathOf = ({ extension, attribute, sub }: Target): string =>
  `${extension ?? ''}${attribute.name}${sub ? `.${sub.name}` : ''}`

const everyRow: SqlFilter = { sql: '1 = 1', params: [], isExact: false }
const exactly = (sql: string, ...params: Param[]): SqlFilter => ({ sql, params, isExact: true })

/** Returns the column that sorts by an attribute; undefined if it has none. */
export const sortColumn = (type: ResourceType, target: Target): FilterColumn | undefined =>
  columns[type.name][pathOf(target)]

/**
 * Translates a filter to a condition on the rows `t` of its type. Parts that SQL cannot decide are left out, so the condition
 * may hold for too many rows, never for too few.
 */
export function sqlFilter(type: ResourceType, filter: Filter, context: QueryContext): SqlFilter {
  switch (filter.kind) {
    case 'and':
      return allOf(filter.parts.map((part) => sqlFilter(type, part, context)))
    case 'or': {
      const parts = filter.parts.map((part) => sqlFilter(type, part, context))
      return parts.includes(everyRow) ? everyRow : joined(' OR ', parts)
    }
    case 'not': {
      const part = sqlFilter(type, filter.part, context)
      return part.isExact ? { ...part, sql: `NOT ${part.sql}` } : everyRow
    }
    case 'values':
      return valuesFilter(filter, context.org)
    case 'present': {
      const column = columns[type.name][pathOf(filter.target)]
      if (!column) return everyRow
      return exactly(column.isNullable ? `(t.${column.name} IS NOT NULL)` : '(1 = 1)')
    }
    case 'never':
      return exactly('(1 = 0)')
    case 'compare':
      return comparison(type, filter, context)
  }
}

function joined(by: ' AND ' | ' OR ', parts: readonly SqlFilter[]): SqlFilter {
  return {
    sql: `(${parts.map(({ sql }) => sql).join(by)})`,
    params: parts.flatMap(({ params }) => params),
    isExact: parts.every(({ isExact }) => isExact),
  }
}

function allOf(parts: readonly SqlFilter[]): SqlFilter {
  const known = parts.filter((part) => part !== everyRow)
  if (known.length === 0) return everyRow
  return { ...joined(' AND ', known), isExact: parts.every(({ isExact }) => isExact) }
}

type Comparison = Extract<Filter, { kind: 'compare' }>

/** One value must match the whole filter in brackets, so each of its equalities narrows the rows. */
function valuesFilter({ target, part }: Extract<Filter, { kind: 'values' }>, org: number): SqlFilter {
  const parts = part.kind === 'and' ? part.parts : [part]
  const found = parts.flatMap((one) => {
    const isEquality = one.kind === 'compare' && one.operator === 'eq'
    const sql = isEquality ? lookups[`${target.attribute.name}.${one.target.attribute.name}`] : undefined
    return sql && isEquality ? [exactly(`(t.id IN (${sql}))`, org, String(one.value))] : []
  })
  return found.length === 0 ? everyRow : { ...joined(' AND ', found), isExact: parts.length === 1 }
}

const inequalities: Partial<Record<CompareOperator, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' }

/** The greatest character: a text that starts with a prefix is less than the prefix followed by it. */
const lastCharacter = '\u{10ffff}'

function comparison(
  type: ResourceType,
  { target, operator, value }: Comparison,
  { org, dialect }: QueryContext,
): SqlFilter {
  const lookup = lookups[pathOf(target)]
  if (lookup) return operator === 'eq' ? exactly(`(t.id IN (${lookup}))`, org, String(value)) : everyRow
  const column = columns[type.name][pathOf(target)]
  if (!column) return everyRow
  const name = `t.${column.name}`
  const param = column.kind === 'flag' ? Number(value) : (value as Param)
  const guarded = (sql: string, ...params: Param[]) =>
    exactly(column.isNullable ? `(${name} IS NOT NULL AND ${sql})` : `(${sql})`, ...params)
  if (operator === 'eq') return guarded(`${name} = ?`, param)
  if (operator === 'ne') {
    const equal = guarded(`${name} = ?`, param)
    return { ...equal, sql: `(NOT ${equal.sql})` }
  }
  if (column.kind === 'time') return guarded(`${name} ${inequalities[operator]} ?`, param)
  const text = String(value)
  if (operator === 'sw' && text !== '')
    return guarded(`${name} >= ? AND ${name} < ?`, text, `${text}${lastCharacter}`)
  if (operator === 'co' && text !== '') return guarded(dialect.contains(name), text)
  if (operator === 'ew' && text !== '') return { ...guarded(dialect.contains(name), text), isExact: false }
  return everyRow
}
