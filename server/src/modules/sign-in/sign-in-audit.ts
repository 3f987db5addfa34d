import type { signInMethods } from '@muster/contract/events/event-audit-records'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { uiActor, unprovenActor } from '../../kernel/http/actor.ts'
import { defaultOrganization, findOrganization } from '../../kernel/organizations/organizations.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import type { AdministratorRow } from '../administrators/administrators.service.ts'
import type { SessionOrigin } from '../console/console-sessions.ts'

/** Method of the decisive factor. */
export type SignInMethod = (typeof signInMethods)[number]

/** Records a sign-in in the audit trail. */
export const recordSignIn = (
  tx: Tx,
  { org, email, role }: AdministratorRow,
  origin: SessionOrigin,
  method: SignInMethod,
  note?: string,
): Promise<void> =>
  recordAudit(tx, org, 'ADMIN_SIGNED_IN', {
    actor: uiActor({ email, role }, origin),
    timestamp: origin.nowSeconds,
    new: { email, method },
    ...(note === undefined ? {} : { note }),
  })

/** Failed attempt to sign in. */
interface FailedSignIn {
  /** Organization of the attempt; the default organization if unknown. */
  readonly org: number | undefined
  readonly email: string | null
  readonly method: SignInMethod
}

/** Records failed sign-ins in the audit trail. */
export interface FailedSignIns {
  record(origin: SessionOrigin, failed: FailedSignIn): Promise<void>
}

/**
 * Maximum number of recorded failures per organization and hour: the audit trail is permanent, and guessing must
 * not fill it.
 */
const recordedPerHour = 300
const hourSeconds = 3600

/**
 * Lockouts bound the number of failures per account and address; this bounds the total. Unknown addresses are recorded
 * like known ones, so the trail does not reveal which accounts exist.
 *
 * @param onFailure called for every failure, also for those that are not recorded
 */
export function failedSignIns(db: Db, onFailure?: (method: SignInMethod) => void): FailedSignIns {
  let hour = 0
  const counts = new Map<number, number>()
  const record = async (origin: SessionOrigin, { org, email, method }: FailedSignIn): Promise<void> => {
    onFailure?.(method)
    const currentHour = Math.floor(origin.nowSeconds / hourSeconds)
    const no = org ?? (await findOrganization(db, defaultOrganization))?.no
    if (no === undefined) return
    if (currentHour !== hour) counts.clear()
    hour = currentHour
    const count = (counts.get(no) ?? 0) + 1
    counts.set(no, count)
    if (count > recordedPerHour) return
    const note = count === recordedPerHour ? { note: 'No more failures are recorded in this hour.' } : {}
    const actor = unprovenActor(email, origin)
    const { sourceIpAddress } = actor
    await db.inTransaction((tx) =>
      recordAudit(tx, no, 'ADMIN_SIGN_IN_FAILED', {
        actor,
        timestamp: origin.nowSeconds,
        ...note,
        new: { email, method, sourceIpAddress },
      }),
    )
  }
  return { record }
}
