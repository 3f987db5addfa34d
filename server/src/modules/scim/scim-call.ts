import type { Actor } from '@muster/contract/events/event-actor'
import { type AuditedChange, added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { EmployeeChange } from '../employees/save-employee.ts'
import { ScimError } from './protocol/scim-error.rules.ts'
import type { StoredMeta } from './scim-rows.store.ts'

/** Facts about a request of a directory. */
export interface ScimCall {
  readonly org: number
  readonly actor: Actor
  readonly nowMs: number
  /** True if users get a license when they become active. */
  readonly assignsLicenses: boolean
  /** Base URL: `https://muster.example.com/scim/v2`. */
  readonly base: string
  makeId(): string
  /** Value of the header If-Match. */
  readonly ifMatch: string | undefined
}

export const changeOf = ({ org, actor, nowMs }: ScimCall): EmployeeChange => ({
  org,
  actor,
  nowSeconds: Math.floor(nowMs / 1000),
})

/** Returns the value of the header ETag (RFC 7644, section 3.14). */
export const etagOf = ({ version }: StoredMeta): string => `W/"${version}"`

/** Returns true if a list of ETags names a version, or any. */
export const namesVersion = (header: string, meta: StoredMeta): boolean =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === `"${meta.version}"`)

/**
 * Requires that the resource exists and has the version that the client expects.
 *
 * @throws ScimError 404, or 412 if it was changed
 */
export function requireCurrent<R extends StoredMeta>(call: ScimCall, id: string, row: R | undefined): R {
  if (!row) throw resourceNotFound(id)
  if (call.ifMatch !== undefined && !namesVersion(call.ifMatch, row))
    throw new ScimError(412, undefined, `The resource was changed. Its version is ${etagOf(row)}.`)
  return row
}

export const resourceNotFound = (id: string): ScimError =>
  new ScimError(404, undefined, `Resource ${id.slice(0, 256)} not found.`)

/** Creates the error for a name that another resource has. */
export const nameInUse = (name: string, value: string): ScimError =>
  new ScimError(409, 'uniqueness', `${name} ${JSON.stringify(value)} is in use.`)

/** Records an audit event for a change of the directory that no event of an employee tells of. */
export const auditDirectory = (tx: Tx, call: ScimCall, changes: AuditedChange[]): Promise<void> =>
  recordAudit(tx, call.org, 'SETTING_UPDATED', {
    actor: call.actor,
    timestamp: Math.floor(call.nowMs / 1000),
    new: { setting: 'directory', changes },
  })

export const addedResource = (kind: 'user' | 'group', id: string) => [added(kind, id)]
export const removedResource = (kind: 'user' | 'group', id: string) => [removed(kind, id)]

/** Lists the attributes that were changed, without their values, which may be personal. */
export const changedResource = (kind: 'user' | 'group', id: string, names: readonly string[]) => [
  added(`${kind} ${id}`, names.join(', ')),
]
