import { type Role, roleCovers } from '@muster/contract/console/console-operation'
import { ApiError, notFound } from '@muster/contract/errors'
import { lower, plain } from '@muster/contract/event-words'
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
import { type LinkOrigin, makeInvitation, makeResetLink, type NewLink } from './console-links.ts'
import { removeLinks } from './invitations.service.ts'

/** @throws ApiError not_found, the same for whatever names no administrator of the organization */
export async function requireAdministrator(tx: Tx, org: number, id: string): Promise<AdministratorRow> {
  const row = await findAdministrator(tx, org, id)
  if (!row) throw notFound()
  return row
}

/** Those who change who may use the console wait for each other: two owners could else remove one another. */
export const lockPeople = (tx: Tx, org: number): Promise<void> => tx.lock(`administrators ${org}`)

/** The same for an owner, who may have been removed or lowered while they waited. @throws ApiError role_too_low */
async function lockPeopleAsOwner(tx: Tx, org: number, { actor }: By): Promise<void> {
  await lockPeople(tx, org)
  if (actor?.source !== 'UI' || actor.email === null) return
  const now = await findAdministratorByEmail(tx, org, actor.email)
  if (now?.role !== 'OWNER') throw new ApiError('role_too_low', 'This needs the role OWNER.')
}

async function requireAnotherOwner(tx: Tx, { org, role }: AdministratorRow): Promise<void> {
  if (role !== 'OWNER' || (await countOwners(tx, org)) > 1) return
  throw new ApiError('conflict', 'One owner must stay: make another administrator an owner first.')
}

/** Who does something, and when. */
type By = Pick<AuditFacts<'SETTING_UPDATED'>, 'actor' | 'timestamp'>

/** Tells of a change of who may use the console, and how. */
export const tellPeopleChange = (
  tx: Tx,
  org: number,
  by: By,
  change: AuditedChange,
  words: { what?: string; note?: string } = {},
): Promise<void> =>
  recordAudit(tx, org, 'SETTING_UPDATED', {
    ...by,
    new: { setting: 'administrators', changes: [change] },
    ...words,
  })

/** Invites a person. @throws ApiError conflict if the organization has an administrator with this address */
export async function invite(
  tx: Tx,
  origin: LinkOrigin,
  plan: { org: number; email: string; role: Role; invitedBy: string | null },
  by: By,
): Promise<NewLink> {
  await lockPeopleAsOwner(tx, plan.org, by)
  if (await findAdministratorByEmail(tx, plan.org, plan.email))
    throw new ApiError('conflict', 'There is an administrator with this e-mail address already.')
  await tellPeopleChange(tx, plan.org, by, added('invitation', `${plan.email}: ${plan.role}`))
  return makeInvitation(tx, origin, plan)
}

/** Ends the links that somebody has made, who has seen them and could use them. @returns a sentence, if there were any */
async function endLinksBy(tx: Tx, { org, email }: AdministratorRow): Promise<string> {
  return (await removeLinks(tx, org, { invitedBy: email })) === 0
    ? ''
    : ' The links they had made work no more.'
}

/**
 * Gives an administrator another role. The links that they have made end when they are no owner any more, and keys that they
 * hold when these may do more than they.
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
  await lockPeopleAsOwner(tx, org, by)
  const row = await requireAdministrator(tx, org, id)
  if (role !== 'OWNER') await requireAnotherOwner(tx, row)
  if (row.role === role) return row
  await updateAdministrator(tx, org, id, { role })
  const links = role === 'OWNER' ? '' : await endLinksBy(tx, row)
  const keys = await revokeKeysOf(tx, row, by.timestamp, (permission) => !roleCovers(role, permission))
  const roleOf = (held: Role) => `${row.email}: ${held}`
  const change = { name: 'role', old: roleOf(row.role), new: roleOf(role) }
  await tellPeopleChange(tx, org, by, change, {
    what: `The role of administrator ${plain(row.email)} was changed to ${lower(role)}`,
    ...noteOf(links, keys),
  })
  return { ...row, role }
}

/**
 * Makes a link to set a new password. `removeSecondFactors`, for somebody who has lost theirs, ends all sessions and takes
 * the password away, too: without a second step an old one, perhaps known to others, would be enough.
 *
 * @throws ApiError role_too_low
 */
export async function resetPassword(
  tx: Tx,
  origin: LinkOrigin,
  row: AdministratorRow,
  how: { removeSecondFactors: boolean; invitedBy: string | null },
  by: By,
): Promise<NewLink> {
  const { org, id } = row
  await lockPeopleAsOwner(tx, org, by)
  await tellPeopleChange(tx, org, by, added('passwordReset', row.email), {
    what: `A password reset link for administrator ${plain(row.email)} was created`,
    ...(how.removeSecondFactors && { note: 'All other ways to sign in were removed.' }),
  })
  if (how.removeSecondFactors) {
    await updateAdministrator(tx, org, id, {
      ...{ passwordHash: null, totpSecret: null, totpLastStep: null },
      ...{ oidcIssuer: null, oidcSubject: null },
    })
    await removePasskeys(tx, org, id)
    await replaceRecoveryCodes(tx, org, id, [])
    await removeSessions(tx, org, id)
  }
  return makeResetLink(tx, origin, row, how.invitedBy)
}

/**
 * Removes an administrator, ends the links that they have made, and if told so revokes their keys.
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
  await lockPeopleAsOwner(tx, org, by)
  const row = await requireAdministrator(tx, org, id)
  await requireAnotherOwner(tx, row)
  await removeAdministratorRow(tx, org, id)
  const links = await endLinksBy(tx, row)
  const keys = revokeKeys ? await revokeKeysOf(tx, row, by.timestamp) : ''
  await recordAudit(tx, org, 'ADMIN_REMOVED', {
    ...by,
    new: { id, email: row.email, role: row.role },
    ...noteOf(links, keys),
  })
  return row
}

/** The sentences that say what ended with a change, if anything did. */
const noteOf = (...sentences: readonly string[]): { note?: string } => {
  const note = sentences.join('').trim()
  return note === '' ? {} : { note }
}

/** Revokes keys that an administrator holds: all, or those with some permissions. @returns a sentence that names them, if there were any */
async function revokeKeysOf(
  tx: Tx,
  { org, email }: AdministratorRow,
  nowSeconds: number,
  isMeant: (permission: Permission) => boolean = () => true,
): Promise<string> {
  const revoked: string[] = []
  for (const key of await listApiKeys(tx, org)) {
    const theirs = foldCase(key.holder) === foldCase(email) && isMeant(key.permission)
    if (theirs && (await revokeApiKey(tx, org, key.id, nowSeconds))) revoked.push(key.start)
  }
  return revoked.length === 0 ? '' : ` These API keys were revoked: ${revoked.join(', ')}.`
}
