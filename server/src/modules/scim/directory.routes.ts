import { notFound } from '@muster/contract/api/errors'
import {
  type directoryOperations,
  directoryProblemsMaximum,
} from '@muster/contract/console/directory/console-directory'
import { employees } from '@muster/contract/records/employee'
import { type AuditedChange, added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { hashToken } from '../../kernel/lib/secrets/agent-token.ts'
import { recordExists } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { managedPart } from './managed-employee.service.ts'
import { scimPrefix } from './protocol/discovery.rules.ts'
import {
  directoryCounts,
  insertScimToken,
  listScimTokens,
  newScimToken,
  problemUsers,
  revokeScimToken,
} from './scim-tokens.service.ts'

/** Handlers for directories. */
export function directoryHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof directoryOperations> {
  const { db, makeId, publicUrl } = parts
  const record = (tx: Tx, call: ConsoleCall, changes: AuditedChange[]) =>
    recordAudit(tx, call.caller.administrator.org, 'SETTING_UPDATED', {
      ...auditContext(call),
      new: { setting: 'directory tokens', changes },
    })

  return {
    readDirectory: async ({ caller }) => {
      const { org } = caller.administrator
      const tokens = await listScimTokens(db, org)
      return {
        baseUrl: `${publicUrl}${scimPrefix}`,
        tokens: tokens.map(({ org: _org, ...token }) => token),
        ...(await directoryCounts(db.slow, org)),
        problemUsers: await problemUsers(db, org, directoryProblemsMaximum),
      }
    },

    createDirectoryToken: async (call, { name, assignsLicenses }) => {
      const { org, email } = call.caller.administrator
      const token = newScimToken()
      const row = { id: makeId(), name, assignsLicenses, creationTimestamp: call.origin.nowSeconds }
      await db.inTransaction(async (tx) => {
        await insertScimToken(tx, { ...row, org, createdBy: email }, hashToken(token))
        await record(tx, call, [added('token', `${row.id}: ${name}`)])
      })
      return { ...row, token }
    },

    revokeDirectoryToken: async (call, _body, id) => {
      const { org } = call.caller.administrator
      const known = (await listScimTokens(db, org)).some((token) => token.id === id)
      if (!known) throw notFound()
      await db.inTransaction(async (tx) => {
        if (await revokeScimToken(tx, org, id, call.origin.nowSeconds))
          await record(tx, call, [removed('token', id)])
      })
      return {}
    },

    readDirectoryEntry: async ({ caller }, _body, id) => {
      const { org } = caller.administrator
      const part = await managedPart(db, org, id)
      if (!part && !(await recordExists(db, employees, org, id))) throw notFound()
      return {
        userName: part?.userName ?? null,
        active: part?.active ?? false,
        changedTimestamp: part ? Math.floor(part.modifiedMs / 1000) : null,
        members: [...(part?.members ?? [])],
        groups: [...(part?.groups ?? [])],
      }
    },
  }
}
