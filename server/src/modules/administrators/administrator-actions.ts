import { ApiError, notFound } from '@muster/contract/api/errors'
import { type Role, roleCovers } from '@muster/contract/console/console-operation'
import { lower, plain } from '@muster/contract/events/event-words'
import { type AuditedChange, added } from '../../kernel/actions/audit-changes.rules.ts'
import { type AuditFacts, recordAudit } from '../../kernel/events/audit-trail.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { listApiKeys, type Permission, revokeApiKey } from '../api-keys/api-keys.service.ts'
import { removePasskeys } from '../sign-in/passkeys.service.ts'
import { removeSessions } from '../sign-in/sessions.service.ts'
import {
  type AdministratorRow,
  countOwners,
  findAdministrator,
  findAdministratorByEmail,
  removeAdministratorRow,
  replaceRecoveryCodes,
  updateAdministrator,
} from './administrators.service.ts'
import { createInvitation, createResetLink, type LinkOrigin, type NewLink } from './console-links.ts'
import { removeLinks } from './invitations.service.ts'

/** @throws ApiError not_found if the organization has no such administrator */
export async function requireAdministrator(tx: Tx, org: number, id: string): Promise<AdministratorRow> {
  const row = await findAdministrator(tx, org, id)
  if (!row) throw notFound()
  return row
}

/** Serializes changes to administrators; otherwise two owners could remove each other at the same time. */
export const lockAdministrators = (tx: Tx, org: number): Promise<void> => tx.lock(`administrators ${org}`)

/**
 * Same for an owner, who may have been removed or demoted while waiting. @throws ApiError role_too_low
 */
async function lockAdministratorsAsOwner(tx: Tx, org: number, { actor }: By): Promise<void> {
  await lockAdministrators(tx, org)
  if (actor?.source !== 'UI' || actor.email === null) return
  const current = await findAdministratorByEmail(tx, org, actor.email)
  if (current?.role !== 'OWNER') throw new ApiError('role_too_low', 'This needs the role OWNER.')
}

async function requireAnotherOwner(tx: Tx, { org, role }: AdministratorRow): Promise<void> {
  if (role !== 'OWNER' || (await countOwners(tx, org)) > 1) return
  throw new ApiError('conflict', 'The last owner must stay. Make another administrator an owner first.')
}

/** Actor and time of a change. */
type By = Pick<AuditFacts<'SETTING_UPDATED'>, 'actor' | 'timestamp'>

/** Records a change of administrators or their sign-in methods in the audit trail. */
export const recordAdministratorChange = (
  tx: Tx,
  org: number,
  by: By,
  change: AuditedChange,
  texts: { what?: string; note?: string } = {},
): Promise<void> =>
  recordAudit(tx, org, 'SETTING_UPDATED', {
    ...by,
    new: { setting: 'administrators', changes: [change] },
    ...texts,
  })

/**
 * Invites a person. @throws ApiError conflict if the organization already has an administrator with this address
 */
export async function invite(
  tx: Tx,
  origin: LinkOrigin,
  plan: { org: number; email: string; role: Role; invitedBy: string | null },
  by: By,
): Promise<NewLink> {
  await lockAdministratorsAsOwner(tx, plan.org, by)
  if (await findAdministratorByEmail(tx, plan.org, plan.email))
    throw new ApiError('conflict', 'An administrator with this e-mail address already exists.')
  await recordAdministratorChange(tx, plan.org, by, added('invitation', `${plan.email}: ${plan.role}`))
  return createInvitation(tx, origin, plan)
}

/**
 * Revokes the links that an administrator has created, and thus knows. @returns a sentence, empty if there were
 * none
 */
async function revokeLinksBy(tx: Tx, { org, email }: AdministratorRow): Promise<string> {
  return (await removeLinks(tx, org, { invitedBy: email })) === 0
    ? ''
    : ' The links they had created were revoked.'
}

/**
 * Changes the role of an administrator. Revokes the links that a former owner has created, and the held keys whose
 * permission exceeds the new role.
 *
 * @throws ApiError role_too_low, not_found, conflict for the last owner
 */
export async function changeRole(
  tx: Tx,
  org: number,
  id: string,
  role: Role,
  by: By,
): Promise<AdministratorRow> {
  await lockAdministratorsAsOwner(tx, org, by)
  const row = await requireAdministrator(tx, org, id)
  if (role !== 'OWNER') await requireAnotherOwner(tx, row)
  if (row.role === role) return row
  await updateAdministrator(tx, org, id, { role })
  const links = role === 'OWNER' ? '' : await revokeLinksBy(tx, row)
  const keys = await revokeKeysOf(tx, row, by.timestamp, (permission) => !roleCovers(role, permission))
  const roleOf = (held: Role) => `${row.email}: ${held}`
  const change = { name: 'role', old: roleOf(row.role), new: roleOf(role) }
  await recordAdministratorChange(tx, org, by, change, {
    what: `The role of administrator ${plain(row.email)} was changed to ${lower(role)}`,
    ...noteOf(links, keys),
  })
  return { ...row, role }
}

/**
 * Creates a password reset link. `removeSecondFactors`, for a person who lost theirs, also ends all sessions and removes
 * the password: without a second factor, a password that others know would be enough.
 *
 * @throws ApiError role_too_low
 */
export async function resetPassword(
  tx: Tx,
  origin: LinkOrigin,
  row: AdministratorRow,
  options: { removeSecondFactors: boolean; invitedBy: string | null },
  by: By,
): Promise<NewLink> {
  const { org, id } = row
  await lockAdministratorsAsOwner(tx, org, by)
  await recordAdministratorChange(tx, org, by, added('passwordReset', row.email), {
    what: `A password reset link for administrator ${plain(row.email)} was created`,
    ...(options.removeSecondFactors && { note: 'All other sign-in methods were removed.' }),
  })
  if (options.removeSecondFactors) {
    await updateAdministrator(tx, org, id, {
      passwordHash: null,
      totpSecret: null,
      totpLastStep: null,
      oidcIssuer: null,
      oidcSubject: null,
    })
    await removePasskeys(tx, org, id)
    await replaceRecoveryCodes(tx, org, id, [])
    await removeSessions(tx, org, id)
  }
  return createResetLink(tx, origin, row, options.invitedBy)
}

/**
 * Removes an administrator, revokes the links that they have created and, on request, their keys.
 *
 * @throws ApiError role_too_low, not_found, conflict for the last owner
 */
export async function removeAdministrator(
  tx: Tx,
  org: number,
  id: string,
  revokeKeys: boolean,
  by: By,
): Promise<AdministratorRow> {
  await lockAdministratorsAsOwner(tx, org, by)
  const row = await requireAdministrator(tx, org, id)
  await requireAnotherOwner(tx, row)
  await removeAdministratorRow(tx, org, id)
  const links = await revokeLinksBy(tx, row)
  const keys = revokeKeys ? await revokeKeysOf(tx, row, by.timestamp) : ''
  await recordAudit(tx, org, 'ADMIN_REMOVED', {
    ...by,
    new: { id, email: row.email, role: row.role },
    ...noteOf(links, keys),
  })
  return row
}

/** Joins sentences to the note of an audit event; empty without any. */
const noteOf = (...sentences: readonly string[]): { note?: string } => {
  const note = sentences.join('').trim()
  return note === '' ? {} : { note }
}

/**
 * Revokes the keys of an administrator whose permission matches. @returns a sentence with their starts, empty if
 * there were none
 */
async function revokeKeysOf(
  tx: Tx,
  { org, email }: AdministratorRow,
  nowSeconds: number,
  matches: (permission: Permission) => boolean = () => true,
): Promise<string> {
  const revoked: string[] = []
  for (const key of await listApiKeys(tx, org)) {
    const isTheirs = foldCase(key.holder) === foldCase(email) && matches(key.permission)
    if (isTheirs && (await revokeApiKey(tx, org, key.id, nowSeconds))) revoked.push(key.start)
  }
  return revoked.length === 0 ? '' : ` These API keys were revoked: ${revoked.join(', ')}.`
}
