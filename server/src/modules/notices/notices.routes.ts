import { ApiError, invalidRequest, notFound } from '@muster/contract/api/errors'
import {
  type ApiDeprecation,
  type ConsoleNotice,
  type noticeOperations,
  shownNoticesMaximum,
} from '@muster/contract/console/console-notices'
import { roleCovers } from '@muster/contract/console/console-operation'
import type { NoticeState } from '@muster/contract/records/notice'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import type { AdministratorRow } from '../administrators/administrators.service.ts'
import { findApiDeprecation } from '../api-versions/api-deprecations.service.ts'
import { setDatesBy, withdrawDatesBy } from '../api-versions/change-dates.ts'
import { activeHolders } from '../api-versions/deprecate-version.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { noticeSummary } from './notice-mail.ts'
import { countNotices, findNotice, listNoticeRows, type NoticeRow, retryNotice } from './notices.service.ts'

const version = 'v1'

function noticeView(row: NoticeRow): ConsoleNotice {
  const { id, kind, address, state, attempts, dueMs, lastError, way, creationTimestamp, sentTimestamp } = row
  return {
    id,
    kind,
    address,
    state,
    attempts,
    lastError,
    way,
    creationTimestamp,
    sentTimestamp,
    about: noticeSummary(row),
    nextAttemptTimestamp: state === 'PENDING' ? Math.ceil(dueMs / 1000) : null,
  }
}

const countsView = (counts: Partial<Record<NoticeState, number>>) => ({
  waiting: (counts.PENDING ?? 0) + (counts.SENDING ?? 0),
  sent: counts.SENT ?? 0,
  failed: counts.FAILED ?? 0,
  inDoubt: counts.IN_DOUBT ?? 0,
})

/** Only owners of the first organization may change the dates, since they apply to the whole server. */
const mayChange = ({ org, role }: AdministratorRow): boolean =>
  org === firstOrganization && roleCovers(role, 'OWNER')

/** Console operations on API deprecation and notices. */
export function noticeHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof noticeOperations> {
  const { db, clock, makeId, mailerOf, deprecations } = parts

  const deprecationView = async (
    administrator: AdministratorRow,
    nowSeconds: number,
  ): Promise<ApiDeprecation> => {
    const { org } = administrator
    const row = await findApiDeprecation(db, version)
    const holders = await activeHolders(db, nowSeconds, org)
    return {
      version,
      deprecationTimestamp: row?.deprecationTimestamp ?? null,
      sunsetTimestamp: row?.sunsetTimestamp ?? null,
      changedTimestamp: row?.changedTimestamp ?? null,
      holders: holders.length,
      messages: countsView(row ? await countNotices(db, { org, subject: row.noticeId }) : {}),
      changeable: mayChange(administrator),
    }
  }

  const requireChangeable = (administrator: AdministratorRow): void => {
    if (mayChange(administrator)) return
    throw new ApiError(
      'role_too_low',
      'API deprecation dates apply to the whole server. Only owners of its first organization may change them.',
    )
  }

  return {
    readDeprecation: ({ caller, origin }) => deprecationView(caller.administrator, origin.nowSeconds),

    setDeprecation: async (call, { deprecationTimestamp, sunsetTimestamp = null }) => {
      const { caller, origin } = call
      requireChangeable(caller.administrator)
      const plan = { version, noticeId: makeId(), deprecationTimestamp, sunsetTimestamp } as const
      const { mistakes } = await db.inTransaction((tx) =>
        setDatesBy(tx, plan, clock.nowMs(), auditContext(call)),
      )
      if (mistakes.length > 0) throw invalidRequest(mistakes.map((mistake) => ({ in: 'body', ...mistake })))
      await deprecations.refresh()
      return deprecationView(caller.administrator, origin.nowSeconds)
    },

    withdrawDeprecation: async (call) => {
      const { caller, origin } = call
      requireChangeable(caller.administrator)
      await db.inTransaction((tx) => withdrawDatesBy(tx, version, clock.nowMs(), auditContext(call)))
      await deprecations.refresh()
      return deprecationView(caller.administrator, origin.nowSeconds)
    },

    listNotices: async ({ caller }) => {
      const { org } = caller.administrator
      const rows = await listNoticeRows(db, org, shownNoticesMaximum)
      return {
        notices: rows.map(noticeView),
        messages: countsView(await countNotices(db, { org })),
        mailWay: mailerOf(org).way,
      }
    },

    resendNotice: async ({ caller }, _body, id) => {
      const { org } = caller.administrator
      if (!(await findNotice(db, org, id))) throw notFound()
      const queued = await db.inTransaction((tx) => retryNotice(tx, org, id, clock.nowMs()))
      if (!queued)
        throw new ApiError(
          'conflict',
          'This message was already sent or is being sent and cannot be sent again.',
        )
      const row = await findNotice(db, org, id)
      if (!row) throw notFound()
      return noticeView(row)
    },
  }
}
