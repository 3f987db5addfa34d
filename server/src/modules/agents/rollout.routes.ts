import { notFound } from '@muster/contract/api/errors'
import type { rolloutOperations } from '@muster/contract/console/rollout/console-rollout'
import { type Browser, browsers } from '@muster/contract/records/browser'
import { type Employee, employees } from '@muster/contract/records/employee'
import { requireRecord } from '../../kernel/actions/action.ts'
import { type AuditedChange, added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { hashToken, newEnrollmentToken } from '../../kernel/lib/secrets/agent-token.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import {
  type BrowserCredential,
  credentialOfBrowser,
  revokeBrowserCredential,
} from '../browsers/browser-credentials.service.ts'
import { removeBrowser } from '../browsers/browser-retention.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import {
  insertEnrollmentToken,
  listEnrollmentTokens,
  revokeEnrollmentToken,
} from './enrollment-tokens.service.ts'

/** Handlers for enrollment tokens and for the connections of browsers. */
export function rolloutHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof rolloutOperations> {
  const { db, makeId, publicUrl, settings } = parts
  const record = (tx: Tx, call: ConsoleCall, setting: string, changes: AuditedChange[]) =>
    recordAudit(tx, call.caller.administrator.org, 'SETTING_UPDATED', {
      ...auditContext(call),
      new: { setting, changes },
    })

  return {
    readRollout: async ({ caller }) => {
      const tokens = await listEnrollmentTokens(db, caller.administrator.org)
      return {
        serverUrl: new URL(publicUrl).origin,
        tokens: tokens.map(({ id, name, creationTimestamp, revokedTimestamp, lastUsedTimestamp, uses }) => ({
          id,
          name,
          creationTimestamp,
          revokedTimestamp,
          lastUsedTimestamp,
          uses: Number(uses),
        })),
      }
    },

    createEnrollmentToken: async (call, { name }) => {
      const { org } = call.caller.administrator
      const token = newEnrollmentToken()
      const row = { id: makeId(), name, creationTimestamp: call.origin.nowSeconds }
      await db.inTransaction(async (tx) => {
        await insertEnrollmentToken(tx, { ...row, org, hash: hashToken(token) })
        await record(tx, call, 'enrollment tokens', [added('token', `${row.id}: ${name}`)])
      })
      return { ...row, token }
    },

    revokeEnrollmentToken: async (call, _body, id) => {
      const { org } = call.caller.administrator
      const known = (await listEnrollmentTokens(db, org)).some((token) => token.id === id)
      if (!known) throw notFound()
      await db.inTransaction(async (tx) => {
        if (await revokeEnrollmentToken(tx, org, id, call.origin.nowSeconds))
          await record(tx, call, 'enrollment tokens', [removed('token', id)])
      })
      return {}
    },

    readBrowserConnection: async ({ caller }, _body, id) => {
      const { org } = caller.administrator
      const text = await readRecordText(db, browsers, org, id)
      if (text === undefined) throw notFound()
      const browser = JSON.parse(text) as Browser
      const credential = await credentialOfBrowser(db, org, id)
      const person = await readRecordText(db, employees, org, credential?.employeeId ?? browser.employeeId)
      return {
        credential: credentialState(credential),
        revokedTimestamp: credential?.revokedTimestamp ?? null,
        dormantBecause: dormantBecause(person === undefined ? undefined : (JSON.parse(person) as Employee)),
        lastDormantCallTimestamp: credential?.dormantCallTimestamp ?? null,
        removedAfterDays: settings.of(org).silentBrowserDays,
        silent: !browser.isActive,
      }
    },

    revokeBrowser: async (call, _body, id) => {
      const { org } = call.caller.administrator
      await db.inTransaction(async (tx) => {
        await requireRecord(tx, browsers, org, id)
        if (await revokeBrowserCredential(tx, org, id, call.origin.nowSeconds))
          await record(tx, call, 'browsers', [removed('credential', id)])
      })
      return {}
    },

    removeBrowser: async (call, _body, id) => {
      const { org } = call.caller.administrator
      await db.inTransaction(async (tx) => {
        await requireRecord(tx, browsers, org, id)
        await removeBrowser(tx, org, id)
        await record(tx, call, 'browsers', [removed('browser', id)])
      })
      return {}
    },
  }
}

function credentialState(credential: BrowserCredential | undefined): 'ACTIVE' | 'REVOKED' | 'NONE' {
  if (!credential) return 'NONE'
  return credential.revokedTimestamp === null ? 'ACTIVE' : 'REVOKED'
}

function dormantBecause(employee: Employee | undefined): 'NO_LICENSE' | 'MERGED' | null {
  if (employee?.mergedIntoId != null) return 'MERGED'
  return employee?.licensed ? null : 'NO_LICENSE'
}
