import { notFound } from '@muster/contract/api/errors'
import type { inventoryOperations } from '@muster/contract/console/console-inventory'
import { type App, apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { storableId } from '../../kernel/actions/read.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import { enrollmentMail } from '../administrators/console-mails.ts'
import { passwordPage } from '../apps/password-page.rules.ts'
import { orgCatalog } from '../catalog/org-catalog.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { mailLimits } from '../console/mail-limits.ts'
import { sessionPrincipal } from '../console/session-principal.ts'
import { extensionCounting } from '../extensions/extension-counting.service.ts'

/** Handlers for counting extensions, password pages and mailing enrollment links. */
export function inventoryHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof inventoryOperations> {
  const { db, clock, log, mailerOf, services } = parts
  const limits = mailLimits(clock)

  return {
    readExtensionCounting: async ({ caller }) => {
      const counting = await extensionCounting(db, caller.administrator.org)
      const { begunMs = 0, countedMs = null } = counting ?? {}
      return {
        countedTimestamp: countedMs === null ? null : Math.floor(countedMs / 1000),
        running: counting !== undefined && (countedMs ?? -1) < begunMs,
      }
    },

    readPasswordPage: async ({ caller }, _body, id) => {
      const { org } = caller.administrator
      const text = await readRecordText(db, apps, org, id)
      if (text === undefined) throw notFound()
      return passwordPage(JSON.parse(text) as App, await orgCatalog(db, org))
    },

    mailEnrollmentLink: async (call, { employeeId }) => {
      const { caller } = call
      const { org } = caller.administrator
      const text = storableId(employeeId) ? await readRecordText(db, employees, org, employeeId) : undefined
      if (text === undefined) throw notFound()
      limits.take(org, employeeId)
      const { email } = JSON.parse(text) as { email: string }
      const answer = await services.runAction('createEnrollmentLink', {
        principal: sessionPrincipal(caller),
        id: employeeId,
        body: undefined,
        path: `/v1/employees/${employeeId}/enrollmentLink`,
        idempotencyKey: undefined,
        origin: call.origin,
      })
      const { enrollmentLink: link, expirationTimestamp } = JSON.parse(String(answer.body)) as {
        enrollmentLink: string
        expirationTimestamp: number
      }
      const mail = { to: email, organization: caller.organization.name, link, expirationTimestamp }
      // The link is shown in any case, so a failed mail is not an error.
      const sender = mailerOf(caller.administrator.org)
      const sentBy = await sender.send(enrollmentMail(mail)).catch((error: unknown) => {
        log.warn({ err: error }, 'cannot mail an enrollment link')
        return 'FAILED' as const
      })
      return { email, link, expirationTimestamp, sentBy }
    },
  }
}
