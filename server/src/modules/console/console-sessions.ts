import { ApiError } from '@muster/contract/api/errors'
import { sessionIdleSeconds } from '@muster/contract/console/session-limits'
import { type Organization, organizationOf } from '../../kernel/organizations/organizations.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import { type AdministratorRow, findAdministrator } from '../administrators/administrators.service.ts'
import { hashToken, newSecretToken } from '../sign-in/secret-token.ts'
import {
  findSession,
  insertSession,
  removeSession,
  type SessionRow,
  touchSession,
} from '../sign-in/sessions.service.ts'

/** Maximum duration of a session. */
export const sessionSeconds = 12 * 60 * 60
/** Maximum duration of the second step. */
const secondFactorSeconds = 10 * 60
/** Time after an authentication in which sensitive operations are allowed. */
const freshSeconds = 10 * 60
/** Minimum interval between updates of the last use. */
const touchedEverySeconds = 60

/** Active session with its administrator. */
export interface FoundSession {
  readonly session: SessionRow
  readonly administrator: AdministratorRow
  readonly organization: Organization
}

/** Client and time of a request. */
export interface SessionOrigin {
  readonly address: string
  readonly userAgent: string | undefined
  readonly nowSeconds: number
}

const hasEnded = ({ stage, creationTimestamp, lastSeenTimestamp }: SessionRow, nowSeconds: number): boolean =>
  nowSeconds - creationTimestamp >= (stage === 'ACTIVE' ? sessionSeconds : secondFactorSeconds) ||
  nowSeconds - lastSeenTimestamp >= sessionIdleSeconds

/** Returns the session with this hash if it has not ended. */
export async function findActiveSession(
  db: Reader,
  hash: string,
  nowSeconds: number,
): Promise<SessionRow | undefined> {
  const session = await findSession(db, hash)
  return session && !hasEnded(session, nowSeconds) ? session : undefined
}

/** Returns the session of a cookie if it has not ended, and records its use. */
export async function authenticateSession(
  db: Db,
  cookie: string | undefined,
  nowSeconds: number,
): Promise<FoundSession | undefined> {
  if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined
  const session = await findActiveSession(db, hashToken(cookie), nowSeconds)
  if (!session) return undefined
  const administrator = await findAdministrator(db, session.org, session.administratorId)
  const organization = await organizationOf(db, session.org)
  if (!administrator || !organization) return undefined
  if (nowSeconds - session.lastSeenTimestamp >= touchedEverySeconds)
    await db.inTransaction((tx) => touchSession(tx, session.hash, nowSeconds))
  return { session, administrator, organization }
}

/**
 * Creates a session with a new token. Every increase in privilege replaces the session, so a token that was known to
 * somebody before (session fixation) never gains privileges.
 *
 * @returns the value of the cookie, which is not stored
 * @throws ApiError signed_out if the previous session has ended in the meantime
 */
export async function createSession(
  tx: Tx,
  administrator: Pick<AdministratorRow, 'org' | 'id'>,
  origin: SessionOrigin,
  options: {
    stage: SessionRow['stage']
    /** Time of the authentication; 0 if unknown. */
    authenticatedTimestamp: number
    /** Session to replace. The administrator must be locked. */
    before?: SessionRow | undefined
    /** Keeps the start time of the previous session, so the maximum duration is not extended. */
    continues?: boolean
  },
): Promise<string> {
  const { token, hash } = newSecretToken()
  const { before, continues = false, stage, authenticatedTimestamp } = options
  if (before && !(await removeSession(tx, before.hash))) throw signedOut()
  await insertSession(tx, {
    hash,
    org: administrator.org,
    administratorId: administrator.id,
    stage,
    creationTimestamp: continues && before ? before.creationTimestamp : origin.nowSeconds,
    lastSeenTimestamp: origin.nowSeconds,
    authenticatedTimestamp,
    challenge: null,
    challengeTimestamp: null,
    sourceIpAddress: origin.address.slice(0, 64),
    userAgent: storableAgent(origin.userAgent),
  })
  return token
}

export const signedOut = (): ApiError => new ApiError('signed_out', 'Sign in first.')

const storableAgent = (userAgent: string | undefined): string | null =>
  userAgent?.replaceAll('\u0000', '').toWellFormed().slice(0, 512) ?? null

/** Returns the time until which sensitive operations are allowed. */
export const reauthenticationExpiry = ({ authenticatedTimestamp }: SessionRow): number =>
  authenticatedTimestamp === 0 ? 0 : authenticatedTimestamp + freshSeconds

/** @throws ApiError reauthentication_required */
export function requireReauthentication(session: SessionRow, nowSeconds: number): void {
  if (reauthenticationExpiry(session) > nowSeconds) return
  throw new ApiError('reauthentication_required', "Confirm it's you, then try again.")
}
