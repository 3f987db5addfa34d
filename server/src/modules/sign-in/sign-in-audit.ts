import type { signInMethods } from '@muster/contract/event-audit-records'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { uiActor, unprovenActor } from '../../kernel/http/actor.ts'
import { defaultOrganization, findOrganization } from '../../kernel/organizations/organizations.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import type { AdministratorRow } from '../administrators/administrators.service.ts'
import type { SessionOrigin } from '../console/console-sessions.ts'

/** How somebody signs in: the proof that decides. */
export type SignInMethod = (typeof signInMethods)[number]

/** Tells that an administrator has signed in. */
export const tellSignIn = (
  tx: Tx,
  { org, email, role }: AdministratorRow,
  origin: SessionOrigin,
  method: SignInMethod,
  note?: string,
): Promise<void> =>
  recordAudit(tx, org, 'ADMIN_SIGNED_IN', {
    ...{ actor: uiActor({ email, role }, origin), timestamp: origin.nowSeconds },
    ...{ new: { email, method }, ...(note === undefined ? {} : { note }) },
  })

/** What an attempt to sign in that failed was made with. */
export interface FailedSignIn {
  /** The organization that it was for; the first one if that is not known. */
  readonly org: number | undefined
  readonly email: string | null
  readonly method: SignInMethod
}

/** Tells of attempts to sign in that failed. */
export interface FailedSignIns {
  tell(origin: SessionOrigin, failed: FailedSignIn): Promise<void>
}

/** So many are told in an hour of an organization: the trail is for good, and whoever guesses must not fill it. */
const toldPerHour = 300
const hourSeconds = 3600

/**
 * Accounts and addresses that fail are locked, which bounds what is told of each; this bounds what is told of many. An
 * address that is nobody's is told like one that is somebody's, in which nothing shows who there is.
 */
export function failedSignIns(db: Db): FailedSignIns {
  let hour = 0
  const toldTo = new Map<number, number>()

  const tell = async (origin: SessionOrigin, { org, email, method }: FailedSignIn): Promise<void> => {
    const now = Math.floor(origin.nowSeconds / hourSeconds)
    const no = org ?? (await findOrganization(db, defaultOrganization))?.no
    if (no === undefined) return
    if (now !== hour) toldTo.clear()
    hour = now
    const told = (toldTo.get(no) ?? 0) + 1
    toldTo.set(no, told)
    if (told > toldPerHour) return
    const note = told === toldPerHour ? { note: 'No more are recorded in this hour.' } : {}
    const actor = unprovenActor(email, origin)
    const { sourceIpAddress } = actor
    await db.inTransaction((tx) =>
      recordAudit(tx, no, 'ADMIN_SIGN_IN_FAILED', {
        ...{ actor, timestamp: origin.nowSeconds, ...note },
        new: { email, method, sourceIpAddress },
      }),
    )
  }
  return { tell }
}
