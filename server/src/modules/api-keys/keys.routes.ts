import { ApiError, invalidRequest, notFound } from '@muster/contract/api/errors'
import { type ConsoleKey, type keyOperations, keyPermissions } from '@muster/contract/console/console-keys'
import { roleCovers } from '@muster/contract/console/console-operation'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { lockAdministrators } from '../administrators/administrator-actions.ts'
import { findAdministratorByEmail } from '../administrators/administrators.service.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { listKeyHours } from './api-key-hours.service.ts'
import { type ApiKey, findApiKey, listApiKeys } from './api-keys.service.ts'
import { revokeKey } from './audited-key.ts'
import { type IssuedKey, issueKey, keyStateOf, rotateKey } from './issue-key.ts'

const daysShown = 30
const daySeconds = 24 * 60 * 60
const states = { active: 'ACTIVE', expired: 'EXPIRED', revoked: 'REVOKED' } as const

/** Returns a key for the console, without its hash. */
function keyView(key: ApiKey, nowSeconds: number): ConsoleKey {
  const { id, name, permission, holder, start, creationTimestamp } = key
  const { expiryTimestamp, lastUsedTimestamp, revokedTimestamp, replacedBy } = key
  return {
    id,
    name,
    permission,
    holder,
    start,
    creationTimestamp,
    expiryTimestamp,
    state: states[keyStateOf(key, nowSeconds)],
    lastUsedTimestamp,
    revokedTimestamp,
    replacedBy,
  }
}

/**
 * Requires that the holder is an administrator whose role covers the permission of the key: a key must not grant more than
 * its holder may do. Locks roles until the transaction ends.
 *
 * @param refusal creates the error from the violated requirement
 */
async function requireHolder(
  tx: Tx,
  org: number,
  { holder: email, permission }: Pick<ApiKey, 'holder' | 'permission'>,
  refusal: (reason: string) => ApiError,
): Promise<string> {
  await lockAdministrators(tx, org)
  const holder = await findAdministratorByEmail(tx, org, email)
  if (!holder) throw refusal('must be the e-mail address of an administrator of the organization')
  if (!roleCovers(holder.role, permission))
    throw refusal(`must be an administrator whose role allows a ${keyPermissions[permission]} key`)
  return holder.email
}

/** Console operations on API keys. */
export function keyHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof keyOperations> {
  const { db, publicUrl, clock, keyDirectory, certificatePin } = parts

  /** curl options that pin a self-signed certificate by its public key. */
  const pinOptions = (): string => {
    const pin = certificatePin()
    return pin === undefined ? '' : ` -k --pinnedpubkey 'sha256//${pin}'`
  }

  const issued = (key: IssuedKey) => ({
    ...key,
    curl: `curl${pinOptions()} -H 'x-api-key: ${key.key}' '${publicUrl}/v1/employees?limit=10'`,
  })

  const issueContext = (call: ConsoleCall) => ({ nowMs: clock.nowMs(), actor: auditContext(call).actor })

  const requireKey = async (org: number, id: string, reader: Reader = db): Promise<ApiKey> => {
    const key = await findApiKey(reader, org, id)
    if (!key) throw notFound()
    return key
  }

  return {
    listKeys: async ({ caller, origin }) => {
      const keys = await listApiKeys(db, caller.administrator.org)
      return { keys: keys.map((key) => keyView(key, origin.nowSeconds)) }
    },

    createKey: async (call, body) => {
      const { caller, origin } = call
      const { org, email } = caller.administrator
      const { permission, expiryTimestamp = null } = body
      const mistakes = []
      if (/\p{Cc}/u.test(body.name))
        mistakes.push({ name: 'name', message: 'must not contain control characters' })
      if (expiryTimestamp !== null && expiryTimestamp <= origin.nowSeconds)
        mistakes.push({ name: 'expiryTimestamp', message: 'must be in the future' })
      if (mistakes.length > 0) throw invalidRequest(mistakes.map((mistake) => ({ in: 'body', ...mistake })))
      const input = { name: body.name, holder: body.holder ?? email, permission, expiryTimestamp }
      const refusal = (message: string) => invalidRequest([{ in: 'body', name: 'holder', message }])
      const key = await db.inTransaction(async (tx) => {
        const holder = await requireHolder(tx, org, input, refusal)
        return issueKey(tx, org, { ...input, holder }, issueContext(call))
      })
      return issued(key)
    },

    rotateKey: async (call, { overlapSeconds }, id) => {
      const { org } = call.caller.administrator
      const key = await db.inTransaction(async (tx) => {
        const old = await requireKey(org, id, tx)
        const refusal = (reason: string) =>
          new ApiError('conflict', `The holder ${old.holder} ${reason}. Create a key with another holder.`)
        await requireHolder(tx, org, old, refusal)
        return rotateKey(tx, old, overlapSeconds, issueContext(call))
      })
      return issued(key)
    },

    revokeKey: async ({ caller, origin }, _body, id) => {
      const { org } = caller.administrator
      const key = await requireKey(org, id)
      await db.inTransaction((tx) => revokeKey(tx, key, auditContext({ caller, origin })))
      return keyView(await requireKey(org, id), origin.nowSeconds)
    },

    readKeyRequests: async ({ caller, origin }, _body, id) => {
      const { org } = caller.administrator
      await requireKey(org, id)
      await keyDirectory.flush()
      return { hours: await listKeyHours(db, org, id, origin.nowSeconds - daysShown * daySeconds) }
    },
  }
}
