import type { ConsoleAnswer, ConsoleBody } from '@muster/contract/console/console-operation'
import type { SignInState, sessionOperations } from '@muster/contract/console/console-session'
import { ApiError, invalidRequest } from '@muster/contract/errors'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { uiActor } from '../../kernel/http/actor.ts'
import { organizationOf } from '../../kernel/organizations/organizations.ts'
import { type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'
import type { ConsoleCall } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import type { SessionOrigin } from '../console/console-sessions.ts'
import { acceptPassword } from '../sign-in/chosen-password.ts'
import { enter } from '../sign-in/enter.ts'
import { hashPassword } from '../sign-in/passwords.ts'
import { hashToken } from '../sign-in/secret-token.ts'
import { removeSessions } from '../sign-in/sessions.service.ts'
import { tellSignIn } from '../sign-in/sign-in-audit.ts'
import { lockPeople, tellPeopleChange } from './administrator-acts.ts'
import {
  type AdministratorRow,
  findAdministrator,
  hasAdministrator,
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

const deadLink = (): ApiError =>
  new ApiError(
    'sign_in_failed',
    'This link is not valid: it was used, taken back, or has expired. Ask for a new one.',
  )

/** The link that a token belongs to. @throws ApiError sign_in_failed, rate_limited */
async function linkOf(
  { db, attempts, failedSignIns }: ConsoleParts,
  call: ConsoleCall,
  token: string,
): Promise<InvitationRow> {
  const { address, nowSeconds } = call.origin
  const link = await attempts.check(`link ${address}`, address, nowSeconds, async () => {
    const found = await findInvitation(db, hashToken(token), nowSeconds)
    if (found && (found.kind !== 'SETUP' || !(await hasAdministrator(db, found.org)))) return found
    await failedSignIns.tell(call.origin, { org: found?.org, email: null, method: 'LINK' })
    return undefined
  })
  if (!link) throw deadLink()
  return link
}

/** What a link is for. */
export async function openLink(
  parts: ConsoleParts,
  call: ConsoleCall,
  token: string,
): Promise<ConsoleAnswer<Operations['openLink']>> {
  const { org, kind, email, role, expirationTimestamp } = await linkOf(parts, call, token)
  const organization = (await organizationOf(parts.db, org))?.name ?? ''
  return { kind, organization, email, role, expirationTimestamp }
}

/** Uses a link up: its person becomes an administrator, or has a new password, and is signed in. */
export async function acceptLink(
  parts: ConsoleParts,
  call: ConsoleCall,
  body: ConsoleBody<Operations['acceptLink']>,
): Promise<SignInState> {
  const link = await linkOf(parts, call, body.token)
  const email = emailOf(link, body.email)
  await acceptPassword(body.password, email, parts.leakedRange)
  const passwordHash = await hashPassword(body.password)
  if (link.kind === 'RESET') return reset(parts, call, link, passwordHash)
  const { nowSeconds } = call.origin
  const administrator: AdministratorRow = {
    ...newAdministrator(link.org, parts.makeId(), email, body.name, nowSeconds),
    role: link.role,
    passwordHash,
  }
  return enter(parts, call, administrator, (tx) => join(tx, link, administrator, call.origin))
}

/** An administrator who is not there yet, without a way to sign in. */
export const newAdministrator = (
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

/** Adds the administrator that a link invites, who is who does it. @throws ApiError sign_in_failed, conflict */
export async function join(
  tx: Tx,
  link: InvitationRow,
  administrator: AdministratorRow,
  origin: SessionOrigin,
): Promise<void> {
  await lockPeople(tx, link.org)
  if (link.kind === 'SETUP' && (await hasAdministrator(tx, link.org))) throw deadLink()
  if (!(await takeInvitation(tx, link))) throw deadLink()
  await removeSetupLinks(tx, link.org)
  await insertAdministrator(tx, administrator).catch((error: unknown) => {
    if (!(error instanceof UniqueViolationError)) throw error
    throw new ApiError('conflict', 'There is an administrator with this e-mail address already. Sign in.')
  })
  const { org, id, email, role } = administrator
  await recordAudit(tx, org, 'ADMIN_ADDED', {
    ...{ actor: uiActor(administrator, origin), timestamp: origin.nowSeconds },
    new: { id, email, role },
  })
}

async function reset(
  parts: ConsoleParts,
  call: ConsoleCall,
  link: InvitationRow,
  passwordHash: string,
): Promise<SignInState> {
  const { org, administratorId } = link
  const administrator = await findAdministrator(parts.db, org, administratorId ?? '')
  if (!administrator) throw deadLink()
  return enter(parts, call, administrator, async (tx, whole) => {
    await lockPeople(tx, org)
    if (!(await takeInvitation(tx, link))) throw deadLink()
    await removeLinks(tx, org, { administratorId: administrator.id })
    await updateAdministrator(tx, org, administrator.id, { passwordHash })
    await removeSessions(tx, org, administrator.id)
    const { email } = administrator
    const note = 'The link set a new password.'
    if (whole) return tellSignIn(tx, administrator, call.origin, 'LINK', note)
    const by = { actor: uiActor(administrator, call.origin), timestamp: call.origin.nowSeconds }
    return tellPeopleChange(tx, org, by, { name: 'password', old: email, new: `${email}: by a link` })
  })
}

/** Whom a link is for; only whoever has the setup link says so. */
function emailOf({ email }: InvitationRow, given: string | undefined): string {
  const message = email === null ? 'is required' : 'must be left out: the link is for one address'
  if ((email === null) === (given === undefined))
    throw invalidRequest([{ in: 'body', name: 'email', message }])
  return email ?? given ?? ''
}
