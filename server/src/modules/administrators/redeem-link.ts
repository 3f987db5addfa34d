import { ApiError, invalidRequest } from '@muster/contract/api/errors'
import type { ConsoleAnswer, ConsoleBody } from '@muster/contract/console/console-operation'
import type { SignInState, sessionOperations } from '@muster/contract/console/console-session'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { uiActor } from '../../kernel/http/actor.ts'
import { organizationOf } from '../../kernel/organizations/organizations.ts'
import { type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'
import type { ConsoleCall } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import type { SessionOrigin } from '../console/console-sessions.ts'
import { changeOrganizationName } from '../organizations/organization-name.service.ts'
import { requireAcceptablePassword } from '../sign-in/password-policy.ts'
import { hashPassword } from '../sign-in/passwords.ts'
import { hashToken } from '../sign-in/secret-token.ts'
import { removeSessions } from '../sign-in/sessions.service.ts'
import { recordSignIn } from '../sign-in/sign-in-audit.ts'
import { startSession } from '../sign-in/start-session.ts'
import { lockAdministrators, recordAdministratorChange } from './administrator-actions.ts'
import {
  type AdministratorRow,
  findAdministrator,
  hasOwner,
  insertAdministrator,
  updateAdministrator,
} from './administrators.service.ts'
import {
  findInvitation,
  type InvitationRow,
  removeLinks,
  removeSetupLinks,
  takeInvitation,
} from './invitations.service.ts'

type Operations = typeof sessionOperations

const invalidLink = (): ApiError =>
  new ApiError(
    'sign_in_failed',
    'This link is not valid: it was used, was revoked, or has expired. Ask for a new one.',
  )

/**
 * Finds the link of a token, with rate limiting. @throws ApiError sign_in_failed, rate_limited
 */
async function linkOf(
  { db, attempts, failedSignIns }: ConsoleParts,
  call: ConsoleCall,
  token: string,
): Promise<InvitationRow> {
  const { address, nowSeconds } = call.origin
  const link = await attempts.check(`link ${address}`, address, nowSeconds, async () => {
    const found = await findInvitation(db, hashToken(token), nowSeconds)
    if (found && (found.kind !== 'SETUP' || !(await hasOwner(db, found.org)))) return found
    await failedSignIns.record(call.origin, { org: found?.org, email: null, method: 'LINK' })
    return undefined
  })
  if (!link) throw invalidLink()
  return link
}

/** Returns the purpose of a link. */
export async function openLink(
  parts: ConsoleParts,
  call: ConsoleCall,
  token: string,
): Promise<ConsoleAnswer<Operations['openLink']>> {
  const { org, kind, email, role, expirationTimestamp } = await linkOf(parts, call, token)
  const organization = (await organizationOf(parts.db, org))?.name ?? ''
  return { kind, organization, email, role, expirationTimestamp }
}

/** Redeems a link: adds an administrator or sets a new password, and signs the person in. */
export async function acceptLink(
  parts: ConsoleParts,
  call: ConsoleCall,
  body: ConsoleBody<Operations['acceptLink']>,
): Promise<SignInState> {
  const link = await linkOf(parts, call, body.token)
  const email = emailOf(link, body.email)
  const { organization } = body
  if (organization !== undefined && link.kind !== 'SETUP')
    throw invalidRequest([
      { in: 'body', name: 'organization', message: 'must not be given: only the setup link names it' },
    ])
  await requireAcceptablePassword(body.password, email, parts.leakedRange)
  const passwordHash = await hashPassword(body.password)
  if (link.kind === 'RESET') return resetPassword(parts, call, link, passwordHash)
  const { nowSeconds } = call.origin
  const administrator: AdministratorRow = {
    ...administratorRow(link.org, parts.makeId(), email, body.name, nowSeconds),
    role: link.role,
    passwordHash,
  }
  return startSession(parts, call, administrator, async (tx) => {
    await addInvited(tx, link, administrator, call.origin)
    if (organization === undefined) return
    const by = { actor: uiActor(administrator, call.origin), timestamp: nowSeconds }
    await changeOrganizationName(tx, link.org, organization.trim(), by)
  })
}

/** Returns the row of a new administrator without any sign-in method. */
export const administratorRow = (
  org: number,
  id: string,
  email: string,
  name: string | undefined,
  nowSeconds: number,
): AdministratorRow => ({
  org,
  id,
  email,
  name: name?.trim() || email.slice(0, email.lastIndexOf('@')),
  role: 'READ_ONLY',
  passwordHash: null,
  totpSecret: null,
  totpLastStep: null,
  oidcIssuer: null,
  oidcSubject: null,
  creationTimestamp: nowSeconds,
  lastSignInTimestamp: null,
})

/**
 * Redeems an invitation or setup link by adding its administrator. @throws ApiError sign_in_failed, conflict
 */
export async function addInvited(
  tx: Tx,
  link: InvitationRow,
  administrator: AdministratorRow,
  origin: SessionOrigin,
): Promise<void> {
  await lockAdministrators(tx, link.org)
  if (link.kind === 'SETUP' && (await hasOwner(tx, link.org))) throw invalidLink()
  if (!(await takeInvitation(tx, link))) throw invalidLink()
  await removeSetupLinks(tx, link.org)
  await insertAdministrator(tx, administrator).catch((error: unknown) => {
    if (!(error instanceof UniqueViolationError)) throw error
    throw new ApiError(
      'conflict',
      'An administrator with this e-mail address already exists. Sign in instead.',
    )
  })
  const { org, id, email, role } = administrator
  await recordAudit(tx, org, 'ADMIN_ADDED', {
    actor: uiActor(administrator, origin),
    timestamp: origin.nowSeconds,
    new: { id, email, role },
  })
}

async function resetPassword(
  parts: ConsoleParts,
  call: ConsoleCall,
  link: InvitationRow,
  passwordHash: string,
): Promise<SignInState> {
  const { org, administratorId } = link
  const administrator = await findAdministrator(parts.db, org, administratorId ?? '')
  if (!administrator) throw invalidLink()
  return startSession(parts, call, administrator, async (tx, isFull) => {
    await lockAdministrators(tx, org)
    if (!(await takeInvitation(tx, link))) throw invalidLink()
    await removeLinks(tx, org, { administratorId: administrator.id })
    await updateAdministrator(tx, org, administrator.id, { passwordHash })
    await removeSessions(tx, org, administrator.id)
    const { email } = administrator
    const note = 'A new password was set with the link.'
    if (isFull) return recordSignIn(tx, administrator, call.origin, 'LINK', note)
    const by = { actor: uiActor(administrator, call.origin), timestamp: call.origin.nowSeconds }
    return recordAdministratorChange(tx, org, by, {
      name: 'password',
      old: email,
      new: `${email}: by a link`,
    })
  })
}

/** Returns the e-mail address of a link. Only the setup link leaves it to the person. */
function emailOf({ email }: InvitationRow, given: string | undefined): string {
  const message = email === null ? 'is required' : 'must not be given: the link is for a specific address'
  if ((email === null) === (given === undefined))
    throw invalidRequest([{ in: 'body', name: 'email', message }])
  return email ?? given ?? ''
}
