import type { Db } from '../../kernel/store/sql.ts'
import { type Projection, projectionOf } from './protocol/projection.rules.ts'
import { groupType, resourceTypes, userType } from './protocol/resource-types.rules.ts'
import { ScimError } from './protocol/scim-error.rules.ts'
import type { ResourceType, Values } from './protocol/scim-schema.rules.ts'
import { etagOf, namesVersion, resourceNotFound, type ScimCall } from './scim-call.ts'
import { createGroup, patchGroup, removeGroup, replaceGroup } from './scim-groups.service.ts'
import { listResources, renderResource } from './scim-list.service.ts'
import { type QueryParameters, queryOf } from './scim-query.rules.ts'
import { locationOf } from './scim-render.ts'
import { findGroup, findUser, type GroupRow, hasMoreMembers, type UserRow } from './scim-rows.store.ts'
import { createUser, patchUser, removeUser, replaceUser } from './scim-users.service.ts'

/** Response to a request of a directory. */
export interface ScimAnswer {
  readonly status: number
  readonly body?: Values
  readonly headers?: Readonly<Record<string, string>>
}

/** Reads and changes resources of one type. */
interface ResourceOperations {
  readonly find: (db: Db, org: number, id: string) => Promise<UserRow | GroupRow | undefined>
  readonly create: (db: Db, call: ScimCall, body: unknown) => Promise<UserRow | GroupRow>
  readonly replace: (db: Db, call: ScimCall, id: string, body: unknown) => Promise<UserRow | GroupRow>
  readonly patch: (db: Db, call: ScimCall, id: string, body: unknown) => Promise<UserRow | GroupRow>
  readonly remove: (db: Db, call: ScimCall, id: string) => Promise<void>
}

const operationsOf: Readonly<Record<ResourceType['name'], ResourceOperations>> = {
  User: { find: findUser, create: createUser, replace: replaceUser, patch: patchUser, remove: removeUser },
  Group: {
    find: findGroup,
    create: createGroup,
    replace: replaceGroup,
    patch: patchGroup,
    remove: removeGroup,
  },
}

/** Maximum number of members in the response to a PATCH of a group. Others get 204 (RFC 7644, section 3.5.2). */
const answeredMembers = 1000

const projectionFor = (type: ResourceType, { attributes, excludedAttributes }: QueryParameters): Projection =>
  projectionOf(type, attributes, excludedAttributes)

async function resourceAnswer(
  db: Db,
  { org, base }: ScimCall,
  type: ResourceType,
  row: UserRow | GroupRow,
  status: number,
  projection: Projection,
): Promise<ScimAnswer> {
  const body = await renderResource(db.slow, org, base, type, row, projection)
  return { status, body, headers: { etag: etagOf(row), location: locationOf(base, type, row.id) } }
}

export async function createResource(
  db: Db,
  call: ScimCall,
  type: ResourceType,
  body: unknown,
  parameters: QueryParameters,
): Promise<ScimAnswer> {
  const projection = projectionFor(type, parameters)
  const row = await operationsOf[type.name].create(db, call, body)
  return resourceAnswer(db, call, type, row, 201, projection)
}

/** @param ifNoneMatch value of the header If-None-Match */
export async function getResource(
  db: Db,
  call: ScimCall,
  type: ResourceType,
  id: string,
  parameters: QueryParameters,
  ifNoneMatch: string | undefined,
): Promise<ScimAnswer> {
  const projection = projectionFor(type, parameters)
  const row = await operationsOf[type.name].find(db, call.org, id)
  if (!row) throw resourceNotFound(id)
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch, row))
    return { status: 304, headers: { etag: etagOf(row) } }
  return resourceAnswer(db, call, type, row, 200, projection)
}

export async function replaceResource(
  db: Db,
  call: ScimCall,
  type: ResourceType,
  id: string,
  body: unknown,
  parameters: QueryParameters,
): Promise<ScimAnswer> {
  const projection = projectionFor(type, parameters)
  const row = await operationsOf[type.name].replace(db, call, id, body)
  return resourceAnswer(db, call, type, row, 200, projection)
}

export async function patchResource(
  db: Db,
  call: ScimCall,
  type: ResourceType,
  id: string,
  body: unknown,
  parameters: QueryParameters,
): Promise<ScimAnswer> {
  const projection = projectionFor(type, parameters)
  const row = await operationsOf[type.name].patch(db, call, id, body)
  const isBrief = type.name === 'Group' && parameters.attributes.length === 0
  if (isBrief && (await hasMoreMembers(db, call.org, id, answeredMembers)))
    return { status: 204, headers: { etag: etagOf(row), location: locationOf(call.base, type, id) } }
  return resourceAnswer(db, call, type, row, 200, projection)
}

export async function removeResource(
  db: Db,
  call: ScimCall,
  type: ResourceType,
  id: string,
): Promise<ScimAnswer> {
  await operationsOf[type.name].remove(db, call, id)
  return { status: 204 }
}

const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Returns a ListResponse (RFC 7644, section 3.4.2). */
export const listResponse = (
  resources: readonly Values[],
  totalResults: number,
  startIndex: number,
): Values => ({
  schemas: [listUrn],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** Lists the resources of a type, or of all types one after the other. */
export async function queryResources(
  db: Db,
  { org, base }: ScimCall,
  type: ResourceType | undefined,
  parameters: QueryParameters,
): Promise<ScimAnswer> {
  const types = type ? [type] : resourceTypes
  const found: Values[] = []
  let totalResults = 0
  let startIndex = 1
  for (const one of types) {
    const query = queryOf(one, parameters, type === undefined)
    startIndex = query.startIndex
    const page = await listResources(db, org, base, one, {
      ...query,
      startIndex: Math.max(1, query.startIndex - totalResults),
      count: query.count - found.length,
    })
    totalResults += page.totalResults
    found.push(...page.resources)
  }
  return { status: 200, body: listResponse(found, totalResults, startIndex) }
}

/** Returns the type of a path such as `Users`. */
export const typeAt = (segment: string): ResourceType | undefined =>
  [userType, groupType].find(({ endpoint }) => endpoint.slice(1).toLowerCase() === segment.toLowerCase())

/** Creates the error for something that Muster does not support. */
export const notImplemented = (detail: string): ScimError => new ScimError(501, undefined, detail)
