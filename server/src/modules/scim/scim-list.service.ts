import { fairQueue } from '../../kernel/lib/fair-queue.ts'
import type { Db, Param, Reader } from '../../kernel/store/sql.ts'
import { type SqlFilter, sortColumn, sqlFilter } from './filter-sql.ts'
import type { MemberFacts } from './group-members.rules.ts'
import { comparable, matchesFilter, targetValues } from './protocol/filter-match.rules.ts'
import type { Filter, FilterValue } from './protocol/filter-parse.rules.ts'
import { includesAttribute, type Projection, project } from './protocol/projection.rules.ts'
import { badRequest } from './protocol/scim-error.rules.ts'
import type { ResourceType, Target, Values } from './protocol/scim-schema.rules.ts'
import { allMembers } from './scim-groups.service.ts'
import type { ScimQuery } from './scim-query.rules.ts'
import { everything, renderGroup, renderUser } from './scim-render.ts'
import {
  type GroupRow,
  groupColumns,
  groupRow,
  groupsOfUsers,
  groupsWithIds,
  type RawRow,
  type UserRow,
  userColumns,
  userRow,
  usersWithIds,
} from './scim-rows.store.ts'

/** Results of a query. */
export interface ScimPage {
  readonly totalResults: number
  readonly resources: readonly Values[]
}

/** Rows that a filter may test if SQL cannot decide it. */
const testedRowsMaximum = 250_000
const rowsPerRead = 500
/** Results that are sorted rather than read in order. */
const sortedRowsMaximum = 1000
/** Members in a page of groups, or in a step of tests. One with more ends early, after at least one group. */
const pageMembersMaximum = 20_000

/** Queue of the reads of large groups, by organization. It bounds the memory for them. */
const largeGroups = fairQueue<number>(2)

const tables = {
  User: { name: 'scim_users', columns: userColumns },
  Group: { name: 'scim_groups', columns: groupColumns },
} as const

type Row = UserRow | GroupRow

const rowOf = (type: ResourceType, row: RawRow): Row => (type.name === 'User' ? userRow(row) : groupRow(row))

/** Reads a page of a type of resources. */
export async function listResources(
  db: Db,
  org: number,
  base: string,
  type: ResourceType,
  query: ScimQuery,
): Promise<ScimPage> {
  const { filter, sortBy } = query
  const narrowed: SqlFilter = filter
    ? sqlFilter(type, filter, { org, dialect: db.dialect })
    : { sql: '(1 = 1)', params: [], isExact: true }
  const column = sortBy && sortColumn(type, sortBy)
  const isDecided = narrowed.isExact && (!sortBy || column)
  const { ids, totalResults } = isDecided
    ? await selectIds(db.slow, org, type, narrowed, query, column)
    : await testRows(db.slow, org, base, type, narrowed, query)
  const resources = await readResources(db.slow, org, base, type, ids, query.projection)
  return { totalResults, resources }
}

interface FoundIds {
  readonly ids: readonly string[]
  readonly totalResults: number
}

async function selectIds(
  reader: Reader,
  org: number,
  type: ResourceType,
  { sql, params }: SqlFilter,
  { startIndex, count, descending }: ScimQuery,
  column: { readonly name: string; readonly isNullable?: boolean } | undefined,
): Promise<FoundIds> {
  const from = `${tables[type.name].name} t WHERE t.org = ? AND ${sql}`
  const all: Param[] = [org, ...params]
  const total = await reader.get<{ count: number }>(`SELECT count(*) AS count FROM ${from}`, all)
  const totalResults = Number(total?.count ?? 0)
  if (count === 0 || startIndex > totalResults) return { ids: [], totalResults }
  // Few rows are sorted. PostgreSQL would otherwise read all rows in the order of their IDs and test each.
  const id = totalResults <= sortedRowsMaximum ? reader.dialect.withoutIndex('t.id', 'text') : 't.id'
  const direction = descending ? 'DESC' : 'ASC'
  // Resources without a value come last in ascending order (RFC 7644, section 3.4.2.3).
  const nulls = column?.isNullable ? [`(t.${column.name} IS NULL) ${direction}`] : []
  const order = column ? [...nulls, `t.${column.name} ${direction}`] : []
  const rows = await reader.all<{ id: string }>(
    `SELECT t.id AS id FROM ${from} ORDER BY ${[...order, id].join(', ')} LIMIT ? OFFSET ?`,
    [...all, count, startIndex - 1],
  )
  return { ids: rows.map(({ id }) => id), totalResults }
}

interface FoundRow {
  readonly id: string
  readonly key: FilterValue | undefined
}

/** Tests rows one by one, in short steps, for filters and sorts that SQL cannot decide. */
async function testRows(
  reader: Reader,
  org: number,
  base: string,
  type: ResourceType,
  { sql, params }: SqlFilter,
  { filter, sortBy, startIndex, count, descending }: ScimQuery,
): Promise<FoundIds> {
  const found: FoundRow[] = []
  const needed = neededRelation(type, [...(filter ? targetsOf(filter) : []), ...(sortBy ? [sortBy] : [])])
  let tested = 0
  for (let after = ''; ; ) {
    const rows = await reader.all<RawRow>(
      `SELECT ${tables[type.name].columns} FROM ${tables[type.name].name} t
       WHERE t.org = ? AND t.id > ? AND ${sql} ORDER BY t.id LIMIT ${rowsPerRead}`,
      [org, after, ...params],
    )
    const resources = await render(
      reader,
      org,
      base,
      type,
      rows.map((row) => rowOf(type, row)),
      needed,
    )
    tested += resources.length
    if (tested > testedRowsMaximum) throw tooMany()
    for (const resource of resources)
      if (!filter || matchesFilter(filter, resource))
        found.push({ id: String(resource.id), key: sortBy && sortKey(resource, sortBy) })
    // Not all rows are rendered if groups have many members.
    after = String(resources.at(-1)?.id ?? after)
    if (resources.length === rows.length && rows.length < rowsPerRead) break
  }
  if (sortBy) found.sort((one, other) => (descending ? -1 : 1) * compareKeys(one.key, other.key))
  const page = found.slice(startIndex - 1, startIndex - 1 + count)
  return { ids: page.map(({ id }) => id), totalResults: found.length }
}

const tooMany = () =>
  badRequest(
    'tooMany',
    `The query would test more than ${testedRowsMaximum} resources. Filter by userName, externalId or emails.`,
  )

const targetsOf = (filter: Filter): readonly Target[] => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(targetsOf)
    case 'not':
      return targetsOf(filter.part)
    case 'never':
      return []
    default:
      return [filter.target]
  }
}

const relationOf = (type: ResourceType): string => (type.name === 'User' ? 'groups' : 'members')

/** Returns true if the groups of users, or the members of groups, decide. */
const neededRelation = (type: ResourceType, targets: readonly Target[]): boolean =>
  targets.some(({ attribute }) => attribute.name === relationOf(type))

/** The primary or first value of a multi-valued attribute sorts (RFC 7644, section 3.4.2.3). */
function sortKey(resource: Values, target: Target): FilterValue | undefined {
  const { attribute, sub } = target
  const list = resource[attribute.name]
  const preferred = Array.isArray(list)
    ? { ...resource, [attribute.name]: [list.find((one) => (one as Values).primary === true) ?? list[0]] }
    : resource
  const [value] = targetValues(preferred, target)
  return value === undefined ? undefined : comparable(sub ?? attribute, value)
}

function compareKeys(one: FilterValue | undefined, other: FilterValue | undefined): number {
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  return one < other ? -1 : 1
}

/** Renders rows with their groups or members if wanted; only the first groups if they have many members. */
async function render(
  reader: Reader,
  org: number,
  base: string,
  type: ResourceType,
  rows: readonly Row[],
  withRelation: boolean,
): Promise<Values[]> {
  if (type.name === 'User') {
    const users = rows as readonly UserRow[]
    const ids = users.map(({ id }) => id)
    const groups = withRelation && ids.length > 0 ? await groupsOfUsers(reader, org, ids) : []
    const byUser = Map.groupBy(groups, ({ userId }) => userId)
    return users.map((user) => renderUser(base, user, byUser.get(user.id) ?? []))
  }
  const rendered: Values[] = []
  let members = 0
  for (const group of rows as readonly GroupRow[]) {
    const own: MemberFacts[] = withRelation
      ? await allMembers(reader, org, group.id, (read) => largeGroups(org, read))
      : []
    members += own.length
    if (rendered.length > 0 && members > pageMembersMaximum) break
    rendered.push(renderGroup(base, group, own))
  }
  return rendered
}

/** Reads resources by ID, in this order. */
async function readResources(
  reader: Reader,
  org: number,
  base: string,
  type: ResourceType,
  ids: readonly string[],
  projection: Projection,
): Promise<Values[]> {
  if (ids.length === 0) return []
  const found: Row[] =
    type.name === 'User' ? await usersWithIds(reader, org, ids) : await groupsWithIds(reader, org, ids)
  const byId = new Map(found.map((row) => [row.id, row]))
  const rows = ids.flatMap((id) => byId.get(id) ?? [])
  const withRelation = includesAttribute(projection, relationOf(type))
  const resources = await render(reader, org, base, type, rows, withRelation)
  return resources.map((resource) => project(type, resource, projection))
}

/** Renders one resource. */
export async function renderResource(
  reader: Reader,
  org: number,
  base: string,
  type: ResourceType,
  row: Row,
  projection: Projection = everything,
): Promise<Values> {
  const withRelation = includesAttribute(projection, relationOf(type))
  const [resource = {}] = await render(reader, org, base, type, [row], withRelation)
  return project(type, resource, projection)
}
