import type { Role } from '@muster/contract/console/console-operation'
import type { Organization } from '../../kernel/organizations/organizations.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { newSecretToken } from '../sign-in/secret-token.ts'
import { type AdministratorRow, hasAdministrator } from './administrators.service.ts'
import { type InvitationRow, insertInvitation } from './invitations.service.ts'

const hourSeconds = 60 * 60
const lifeSeconds = { SETUP: 24 * hourSeconds, INVITATION: 7 * 24 * hourSeconds, RESET: 24 * hourSeconds }

/** A link that was just made: the only time that its token is there. */
export interface NewLink {
  readonly link: string
  readonly expirationTimestamp: number
}

/** When and where links are made. */
export interface LinkOrigin {
  readonly publicUrl: string
  readonly id: string
  readonly nowSeconds: number
}

/** The token stands behind the #, so that browsers send it to nobody by themselves and no log has it. */
async function makeLink(
  tx: Tx,
  { publicUrl, id, nowSeconds }: LinkOrigin,
  page: string,
  facts: Pick<InvitationRow, 'org' | 'kind' | 'email' | 'role' | 'administratorId' | 'invitedBy'>,
): Promise<NewLink> {
  const { token, hash } = newSecretToken()
  const expirationTimestamp = nowSeconds + lifeSeconds[facts.kind]
  await insertInvitation(tx, {
    ...facts,
    id,
    tokenHash: hash,
    creationTimestamp: nowSeconds,
    expirationTimestamp,
  })
  return { link: `${publicUrl}/console/${page}#${token}`, expirationTimestamp }
}

/** A link by which a person becomes an administrator. */
export const makeInvitation = (
  tx: Tx,
  origin: LinkOrigin,
  plan: { org: number; email: string; role: Role; invitedBy: string | null },
): Promise<NewLink> =>
  makeLink(tx, origin, 'invitation', { ...plan, kind: 'INVITATION', administratorId: null })

/** A link by which an administrator sets a new password. */
export const makeResetLink = (
  tx: Tx,
  origin: LinkOrigin,
  { org, id, email, role }: AdministratorRow,
  invitedBy: string | null,
): Promise<NewLink> =>
  makeLink(tx, origin, 'reset', { org, kind: 'RESET', email, role, administratorId: id, invitedBy })

/**
 * A link by which the first administrator, an owner, sets up the console; undefined when there is an administrator. A
 * start does not end the links of an earlier one, nor those of other processes: the first that is used ends them all.
 */
export const makeSetupLink = (
  db: Db,
  origin: LinkOrigin,
  { no }: Organization,
): Promise<NewLink | undefined> =>
  db.inTransaction(async (tx) => {
    if (await hasAdministrator(tx, no)) return undefined
    const whoever = { email: null, administratorId: null, invitedBy: null }
    return makeLink(tx, origin, 'setup', { ...whoever, org: no, kind: 'SETUP', role: 'OWNER' })
  })
