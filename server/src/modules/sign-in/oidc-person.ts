import type { Reader } from '../../kernel/store/sql.ts'
import {
  type AdministratorRow,
  administratorsWithEmail,
  administratorsWithSubject,
} from '../administrators/administrators.service.ts'
import { findInvitationsByEmail, type InvitationRow } from '../administrators/invitations.service.ts'
import type { OidcPerson } from './oidc-client.ts'

/** Administrator or invited person that an OIDC identity belongs to. */
export type OidcMatch =
  | { kind: 'ADMINISTRATOR'; administrator: AdministratorRow }
  | { kind: 'INVITED'; invitation: InvitationRow; email: string }

/**
 * Finds the administrator for an identity. A known subject is decisive, because an e-mail address may be reassigned.
 * Otherwise a verified address is used.
 *
 * @param org restricts the search to one organization, for re-authentication or a provider of one organization
 */
export async function matchPerson(
  db: Reader,
  { issuer, subject, email }: OidcPerson,
  nowSeconds: number,
  org?: number,
): Promise<OidcMatch | undefined> {
  const inScope = (row: AdministratorRow) => org === undefined || row.org === org
  const known = (await administratorsWithSubject(db, issuer, subject)).find(inScope)
  if (known) return { kind: 'ADMINISTRATOR', administrator: known }
  if (email === undefined) return undefined
  const named = (await administratorsWithEmail(db, email)).find(inScope)
  if (named) {
    // Bound to another subject of this provider: the address may have been reassigned. A subject of another provider
    // does not count.
    const isBound = named.oidcSubject !== null && named.oidcIssuer === issuer
    return isBound ? undefined : { kind: 'ADMINISTRATOR', administrator: named }
  }
  const invitations = await findInvitationsByEmail(db, email, nowSeconds)
  const invitation = invitations.find((one) => org === undefined || one.org === org)
  return invitation && { kind: 'INVITED', invitation, email }
}
