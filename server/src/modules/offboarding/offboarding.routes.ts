import { notFound } from '@muster/contract/api/errors'
import {
  accountsToClosePath,
  type offboardingOperations,
} from '@muster/contract/console/people/console-offboarding'
import type { FastifyInstance } from 'fastify'
import { storableId } from '../../kernel/actions/read.ts'
import { auditContext } from '../console/audit-context.ts'
import { admit, type ConsoleHandlers, callOf, consoleApiPrefix } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { sendFile } from '../console/send-file.ts'
import { exportAccountsToClose } from './accounts-to-close-csv.ts'
import { offboardEmployee } from './offboard.ts'
import { offboardingPreview } from './offboarding-preview.ts'

/** Handlers for employees who leave. */
export function offboardingHandlers(
  parts: ConsoleParts,
): ConsoleHandlers<keyof typeof offboardingOperations> {
  const { db } = parts
  return {
    readOffboarding: ({ caller, origin }, _body, id) =>
      offboardingPreview(db, caller.administrator.org, id, origin.nowSeconds),

    offboardEmployee: (call, _body, id) => {
      const { org } = call.caller.administrator
      const { actor, timestamp } = auditContext(call)
      return db.inTransaction((tx) => offboardEmployee(tx, { org, actor, nowSeconds: timestamp }, id))
    },
  }
}

/** Registers the CSV file with the accounts to close. */
export function registerOffboarding(app: FastifyInstance, parts: ConsoleParts): void {
  const { db, clock, log } = parts
  app.get(accountsToClosePath.slice(consoleApiPrefix.length), {
    onRequest: (request) => admit(request, parts, { access: 'READ_ONLY', sensitive: false }),
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      if (!storableId(id)) throw notFound()
      const call = callOf(request, reply, clock)
      const { org } = call.caller.administrator
      const parts = await exportAccountsToClose(db, org, id, auditContext(call))
      return sendFile(reply, log, { name: 'accounts-to-close.csv', type: 'text/csv', parts })
    },
  })
}
