import type { MemberFacts } from './group-members.rules.ts'
import type { Projection } from './protocol/projection.rules.ts'
import { groupType, userType } from './protocol/resource-types.rules.ts'
import type { ResourceType, Values } from './protocol/scim-schema.rules.ts'
import { etagOf } from './scim-call.ts'
import type { GroupRow, MemberRow, StoredMeta, UserGroupRow, UserRow } from './scim-rows.store.ts'

/** Projection that includes every attribute. */
export const everything: Projection = { kind: 'without', targets: [] }

/** Returns the URI of a resource. */
export const locationOf = (base: string, type: ResourceType, id: string): string =>
  `${base}${type.endpoint}/${encodeURIComponent(id)}`

const metaOf = (base: string, type: ResourceType, row: StoredMeta & { readonly id: string }) => ({
  resourceType: type.name,
  created: new Date(row.createdMs).toISOString(),
  lastModified: new Date(row.modifiedMs).toISOString(),
  location: locationOf(base, type, row.id),
  version: etagOf(row),
})

/** Returns a user as clients see it. */
export function renderUser(base: string, user: UserRow, groups: readonly UserGroupRow[]): Values {
  const { values, id } = user
  const extensions = userType.extensions.map((extension) => extension.id).filter((urn) => urn in values)
  return {
    schemas: [userType.schema.id, ...extensions],
    id,
    ...values,
    ...(groups.length > 0
      ? {
          groups: groups.map(({ groupId, groupName }) => ({
            value: groupId,
            $ref: locationOf(base, groupType, groupId),
            display: groupName,
            type: 'direct',
          })),
        }
      : {}),
    meta: metaOf(base, userType, user),
  }
}

/** Returns a group as clients see it. */
export const renderGroup = (base: string, group: GroupRow, members: readonly MemberFacts[]): Values => ({
  schemas: [groupType.schema.id],
  id: group.id,
  ...(group.externalId === null ? {} : { externalId: group.externalId }),
  displayName: group.name,
  ...(members.length > 0
    ? {
        members: members.map(({ value, display, type }) => ({
          value,
          $ref: locationOf(base, userType, value),
          display,
          type,
        })),
      }
    : {}),
  meta: metaOf(base, groupType, group),
})

/** Returns a member as filters and clients see it. */
export function memberFacts({ userId, names }: MemberRow): MemberFacts {
  const [displayName, userName] = JSON.parse(names) as (string | null)[]
  return { value: userId, display: displayName ?? userName, type: 'User' }
}
