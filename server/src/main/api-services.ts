import type { Actions } from '../kernel/actions/action.ts'
import { readService } from '../kernel/actions/read.ts'
import { actionRunner } from '../kernel/actions/run-action.ts'
import type { Services } from '../kernel/http/bind.ts'
import type { Clock } from '../kernel/lib/clock.ts'
import type { DerivedKeys } from '../kernel/lib/secrets/secret.ts'
import type { Db } from '../kernel/store/sql.ts'
import { accountActions } from '../modules/accounts/accounts.routes.ts'
import { appActions } from '../modules/apps/apps.routes.ts'
import { blockedUrlActions } from '../modules/controls/blocked-urls.routes.ts'
import { stolenCredentialActions } from '../modules/credentials/stolen-credentials.routes.ts'
import { detectionActions } from '../modules/detections/detections.routes.ts'
import { employeeActions } from '../modules/employees/employees.routes.ts'

/**
 * Joins the implementations of all operations of `/v1`.
 *
 * @returns a function from the name of the member that holds the records of a page to the services
 */
export function apiServices(options: {
  readonly db: Db
  readonly keys: DerivedKeys
  readonly clock: Clock
  readonly makeId: () => string
  readonly publicUrl: string
  readonly enrollmentLinkDays: number
}): (recordsMember: string) => Services {
  const { db, keys, clock, makeId, publicUrl, enrollmentLinkDays } = options
  const actions: Actions = {
    ...accountActions,
    ...appActions,
    ...detectionActions,
    ...employeeActions({ makeId, publicUrl, enrollmentLinkDays }),
    ...blockedUrlActions({ makeId }),
    ...stolenCredentialActions({ makeId, keys }),
  }
  const runner = actionRunner({ db, clock, actions, keys })
  return (recordsMember) => ({ ...readService({ db, tokenKey: keys.pagingToken, recordsMember }), ...runner })
}
