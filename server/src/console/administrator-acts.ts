import type { Role } from '@muster/contract/console/console-operation'
import { ApiError, notFound } from '@muster/contract/errors'
import { foldCase } from '../lib/fold-case.ts'
import {
  type AdministratorRow,
  countOwners,
  findAdministrator,
  findAdministratorByEmail,
  removeAdministratorRow,
  replaceRecoveryCodes,
  updateAdministrator,
} from '../storage/administrators.ts'
import { listApiKeys, revokeApiKey } from '../storage/api-keys.ts'
import { removePasskeys } from '../storage/passkeys.ts'
import { removeSessions } from '../storage/sessions.ts'
import type { Tx } from '../storage/sql.ts'
import { type LinkOrigin, makeInvitation, makeResetLink, type NewLink } from './console-links.ts'

/** @throws ApiError not_found, the same for whatever names no administrator of the organisation */
export async function requireAdministrator(tx: Tx, org: number, id: string): Promise<AdministratorRow> {
  const row = await findAdministrator(tx, org, id)
  if (!row) throw notFound()
  return row
}

/** Those who change owners wait for each other: two of them could else remove one another. */
const lockOwners = (tx: Tx, org: number): Promise<void> => tx.lock(`administrators ${org}`)

async function requireAnotherOwner(tx: Tx, { org, role }: AdministratorRow): Promise<void> {
  if (role !== 'OWNER' || (await countOwners(tx, org)) > 1) return
  throw new ApiError('conflict', 'One owner must stay: make another administrator an owner first.')
}

/** Invites a person. @throws ApiError conflict if the organisation has an administrator with this address */
export async function invite(
  tx: Tx,
  origin: LinkOrigin,
  plan: { org: number; email: string; role: Role; invitedBy: string | null },
): Promise<NewLink> {
  if (await findAdministratorByEmail(tx, plan.org, plan.email))
    throw new ApiError('conflict', 'There is an administrator with this e-mail address already.')
  return makeInvitation(tx, origin, plan)
}

/** Gives an administrator another role. @throws ApiError not_found, conflict for the last owner */
export async function changeRole(tx: Tx, org: number, id: string, role: Role): Promise<AdministratorRow> {
  await lockOwners(tx, org)
  const row = await requireAdministrator(tx, org, id)
  if (role !== 'OWNER') await requireAnotherOwner(tx, row)
  await updateAdministrator(tx, org, id, { role })
  return { ...row, role }
}

/** Makes a link to set a new password; `removeSecondFactors` for somebody who has lost theirs, and ends all sessions. */
export async function resetPassword(
  tx: Tx,
  origin: LinkOrigin,
  row: AdministratorRow,
  how: { removeSecondFactors: boolean; invitedBy: string | null },
): Promise<NewLink> {
  const { org, id } = row
  if (how.removeSecondFactors) {
    await updateAdministrator(tx, org, id, { totpSecret: null, totpLastStep: null })
    await removePasskeys(tx, org, id)
    await replaceRecoveryCodes(tx, org, id, [])
    await removeSessions(tx, org, id)
  }
  return makeResetLink(tx, origin, row, how.invitedBy)
}

/** Removes an administrator, and if told so revokes their keys. @throws ApiError not_found, conflict for the last owner */
export async function removeAdministrator(
  tx: Tx,
  org: number,
  id: string,
  { revokeKeys, nowSeconds }: { revokeKeys: boolean; nowSeconds: number },
): Promise<AdministratorRow> {
  await lockOwners(tx, org)
  const row = await requireAdministrator(tx, org, id)
  await requireAnotherOwner(tx, row)
  await removeAdministratorRow(tx, org, id)
  if (!revokeKeys) return row
  for (const key of await listApiKeys(tx, org)) {
    const theirs = foldCase(key.holder) === foldCase(row.email)
    if (theirs && key.revokedTimestamp === null) await revokeApiKey(tx, org, key.id, nowSeconds)
  }
  return row
}
