import type { Reader } from '../../kernel/store/sql.ts'
import {
  type AdministratorRow,
  administratorsWithEmail,
  administratorsWithSubject,
} from '../administrators/administrators.service.ts'
import { type InvitationRow, invitationsOf } from '../administrators/invitations.service.ts'
import type { OidcPerson } from './oidc-client.ts'

/** Whom an identity provider has named: an administrator, or somebody who is invited to be one. */
export type OidcMatch =
  | { kind: 'ADMINISTRATOR'; administrator: AdministratorRow }
  | { kind: 'INVITED'; invitation: InvitationRow; email: string }

/**
 * Finds the administrator whom the identity provider means. The subject, once it is known, is what counts, for an
 * address may be given to another person; before that, an address that the provider has verified.
 *
 * @param org the only organization that counts, for who proves anew who they are there; all if it is left out
 */
export async function matchPerson(
  db: Reader,
  { issuer, subject, email }: OidcPerson,
  nowSeconds: number,
  org?: number,
): Promise<OidcMatch | undefined> {
  const there = (row: AdministratorRow) => org === undefined || row.org === org
  const known = (await administratorsWithSubject(db, issuer, subject)).find(there)
  if (known) return { kind: 'ADMINISTRATOR', administrator: known }
  if (email === undefined) return undefined
  const named = (await administratorsWithEmail(db, email)).find(there)
  if (named) {
    // Bound to another subject already: the address may have been given to somebody else since. What another provider
    // called the person says nothing of the subjects of this one.
    const isBound = named.oidcSubject !== null && named.oidcIssuer === issuer
    return isBound ? undefined : { kind: 'ADMINISTRATOR', administrator: named }
  }
  const [invitation] = await invitationsOf(db, email, nowSeconds)
  return invitation && { kind: 'INVITED', invitation, email }
}
