import type { Role } from '@muster/contract/console/console-operation'
import type { Organization } from '../../kernel/organizations/organizations.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { newSecretToken } from '../sign-in/secret-token.ts'
import { type AdministratorRow, hasOwner } from './administrators.service.ts'
import { type InvitationRow, insertInvitation } from './invitations.service.ts'

const hourSeconds = 60 * 60
const lifetimeSeconds = { SETUP: 24 * hourSeconds, INVITATION: 7 * 24 * hourSeconds, RESET: 24 * hourSeconds }

/** Link that was just created. Its token cannot be read again. */
export interface NewLink {
  readonly link: string
  readonly expirationTimestamp: number
}

/** Base URL, ID and time of a new link. */
export interface LinkOrigin {
  readonly publicUrl: string
  readonly id: string
  readonly nowSeconds: number
}

/** Creates a link. The token is in the fragment, which browsers do not send, so it appears in no server log. */
async function createLink(
  tx: Tx,
  { publicUrl, id, nowSeconds }: LinkOrigin,
  page: string,
  facts: Pick<InvitationRow, 'org' | 'kind' | 'email' | 'role' | 'administratorId' | 'invitedBy'>,
): Promise<NewLink> {
  const { token, hash } = newSecretToken()
  const expirationTimestamp = nowSeconds + lifetimeSeconds[facts.kind]
  await insertInvitation(tx, {
    ...facts,
    id,
    tokenHash: hash,
    creationTimestamp: nowSeconds,
    expirationTimestamp,
  })
  return { link: `${publicUrl}/console/${page}#${token}`, expirationTimestamp }
}

/** Creates a link that invites an administrator. */
export const createInvitation = (
  tx: Tx,
  origin: LinkOrigin,
  plan: { org: number; email: string; role: Role; invitedBy: string | null },
): Promise<NewLink> =>
  createLink(tx, origin, 'invitation', { ...plan, kind: 'INVITATION', administratorId: null })

/** Creates a link that lets an administrator set a new password. */
export const createResetLink = (
  tx: Tx,
  origin: LinkOrigin,
  { org, id, email, role }: AdministratorRow,
  invitedBy: string | null,
): Promise<NewLink> =>
  createLink(tx, origin, 'reset', { org, kind: 'RESET', email, role, administratorId: id, invitedBy })

/**
 * Creates a link that lets the first owner set up the console; undefined if there is an owner.
 * Earlier setup links, also those of other processes, stay valid until one is used.
 */
export const createSetupLink = (
  db: Db,
  origin: LinkOrigin,
  { no }: Organization,
): Promise<NewLink | undefined> =>
  db.inTransaction(async (tx) => {
    if (await hasOwner(tx, no)) return undefined
    const anyone = { email: null, administratorId: null, invitedBy: null }
    return createLink(tx, origin, 'setup', { ...anyone, org: no, kind: 'SETUP', role: 'OWNER' })
  })
