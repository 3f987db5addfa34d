import { sessionIdleSeconds } from '@muster/contract/console/session-limits'
import { ApiError } from '@muster/contract/errors'
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

/** A session ends so many seconds after it began. */
export const sessionSeconds = 12 * 60 * 60
/** So long the second step may be waited for. */
const secondFactorSeconds = 10 * 60
/** For so long a proof is enough for sensitive acts. */
export const freshSeconds = 10 * 60
/** How often the last use is written at most. */
const touchedEverySeconds = 60

/** A session that lives, and whose it is. */
export interface FoundSession {
  readonly session: SessionRow
  readonly administrator: AdministratorRow
  readonly organization: Organization
}

/** Where a session begins. */
export interface SessionOrigin {
  readonly address: string
  readonly userAgent: string | undefined
  readonly nowSeconds: number
}

const hasEnded = ({ stage, creationTimestamp, lastSeenTimestamp }: SessionRow, nowSeconds: number): boolean =>
  nowSeconds - creationTimestamp >= (stage === 'ACTIVE' ? sessionSeconds : secondFactorSeconds) ||
  nowSeconds - lastSeenTimestamp >= sessionIdleSeconds

/** The session with this hash, if it lives. */
export async function liveSession(
  db: Reader,
  hash: string,
  nowSeconds: number,
): Promise<SessionRow | undefined> {
  const session = await findSession(db, hash)
  return session && !hasEnded(session, nowSeconds) ? session : undefined
}

/** The session that a cookie names, if it lives; its use is noted. */
export async function findLiveSession(
  db: Db,
  cookie: string | undefined,
  nowSeconds: number,
): Promise<FoundSession | undefined> {
  if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined
  const session = await liveSession(db, hashToken(cookie), nowSeconds)
  if (!session) return undefined
  const administrator = await findAdministrator(db, session.org, session.administratorId)
  const organization = await organizationOf(db, session.org)
  if (!administrator || !organization) return undefined
  if (nowSeconds - session.lastSeenTimestamp >= touchedEverySeconds)
    await db.inTransaction((tx) => touchSession(tx, session.hash, nowSeconds))
  return { session, administrator, organization }
}

/**
 * Begins a session under a new name. Every rise of privilege does so, and ends the session before it: a name that
 * somebody may have known earlier is never worth more than it was.
 *
 * @returns the value of the cookie, which is nowhere else
 * @throws ApiError signed_out if the session before has ended meanwhile: what ended it holds for what follows it
 */
export async function beginSession(
  tx: Tx,
  administrator: Pick<AdministratorRow, 'org' | 'id'>,
  origin: SessionOrigin,
  how: {
    stage: SessionRow['stage']
    /** When the person proved who they are; 0 if that cannot be told. */
    authenticatedTimestamp: number
    /** The session that this one follows; the administrator is locked. */
    before?: SessionRow | undefined
    /** The session goes on: its whole length counts from the beginning of the one before. */
    continues?: boolean
  },
): Promise<string> {
  const { token, hash } = newSecretToken()
  const { before, continues = false, stage, authenticatedTimestamp } = how
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

/** Nobody is signed in. */
export const signedOut = (): ApiError => new ApiError('signed_out', 'Sign in first.')

const storableAgent = (userAgent: string | undefined): string | null =>
  userAgent?.replaceAll('\u0000', '').toWellFormed().slice(0, 512) ?? null

/** Until when a session needs no fresh proof for sensitive acts. */
export const freshUntil = ({ authenticatedTimestamp }: SessionRow): number =>
  authenticatedTimestamp === 0 ? 0 : authenticatedTimestamp + freshSeconds

/** @throws ApiError reauthentication_required */
export function requireFresh(session: SessionRow, nowSeconds: number): void {
  if (freshUntil(session) > nowSeconds) return
  throw new ApiError('reauthentication_required', 'Prove once more who you are, then try again.')
}
