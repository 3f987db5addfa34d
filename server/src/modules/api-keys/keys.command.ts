import { ApiError } from '@muster/contract/api/errors'
import { administratorEmail } from '@muster/contract/console/console-fields'
import { keyName } from '@muster/contract/console/console-keys'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { momentText, parseFutureMoment, parseTimeFromNow } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { curlLine, organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type ApiKey, findApiKey, listApiKeys, type Permission } from './api-keys.service.ts'
import { revokeKey } from './audited-key.ts'
import { type IssuedKey, issueKey, keyStateOf, rotateKey } from './issue-key.ts'

const permissions = { 'read-only': 'READ_ONLY', 'full-access': 'FULL_ACCESS' } as const
const permissionNames: Readonly<Record<Permission, string>> = {
  READ_ONLY: 'Read only',
  FULL_ACCESS: 'Full access',
}

function show(context: CommandContext, key: IssuedKey): void {
  if (context.json) {
    context.printJson(key)
    return
  }
  const expiry = key.expiryTimestamp === null ? '' : `, until ${momentText(key.expiryTimestamp)}`
  context.note(
    `${permissionNames[key.permission]} key ${key.id} of ${key.holder}${expiry}. It is shown only once:\n`,
  )
  context.print(key.key)
  context.note(`\n${curlLine(context.config(), context.io.cwd, key.key, '/v1/employees?limit=10')}`)
}

/** `muster keys create` */
export const keysCreate = defineCommand({
  name: 'keys create',
  summary: 'Create an API key and show it once',
  json: true,
  settings: ['publicUrl', 'port'],
  options: {
    name: {
      type: 'text',
      required: true,
      schema: keyName,
      help: 'purpose of the key',
      placeholder: 'NAME',
    },
    holder: {
      type: 'text',
      required: true,
      schema: administratorEmail,
      help: 'e-mail address of the administrator who holds it; keys of a holder share one rate limit',
      placeholder: 'EMAIL',
    },
    permission: {
      type: 'text',
      required: true,
      choices: ['read-only', 'full-access'],
      help: 'permission of the key',
    },
    expires: {
      type: 'text',
      help: 'expiry: a date or a duration from now (default: never)',
      placeholder: 'DATE',
    },
    org: orgOption,
  },
  details: `Examples:
  muster keys create --name siem --holder ada@example.com --permission read-only
  muster keys create --name deploy --holder ada@example.com --permission full-access --expires 90d --json`,
  async run(context, { options }) {
    const nowMs = systemClock.nowMs()
    const expiryTimestamp =
      options.expires === undefined
        ? null
        : parseFutureMoment('--expires', options.expires, Math.floor(nowMs / 1000))
    const { name, holder } = options
    const permission = permissions[options.permission]
    const input = { name, holder, permission, expiryTimestamp }
    const key = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      return db.inTransaction((tx) => issueKey(tx, no, input, { nowMs, actor: cliAuditContext().actor }))
    })
    show(context, key)
  },
})

/** `muster keys list` */
export const keysList = defineCommand({
  name: 'keys list',
  summary: 'List the API keys of an organization',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: 'Example:\n  muster keys list --json',
  async run(context, { options }) {
    const nowSeconds = Math.floor(systemClock.nowMs() / 1000)
    const keys = await withStore(context.config(), async (db) =>
      listApiKeys(db, (await organizationNamed(db, options.org)).no),
    )
    if (context.json) return context.printJson(keys.map((key) => publicView(key, nowSeconds)))
    if (keys.length === 0) return context.note('No keys. Create one with: muster keys create')
    const rows = keys.map((key) => [
      key.id,
      key.start,
      key.name,
      key.holder,
      permissionNames[key.permission],
      keyStateOf(key, nowSeconds),
      momentText(key.expiryTimestamp),
      momentText(key.lastUsedTimestamp),
    ])
    context.print(
      textTable(['ID', 'STARTS WITH', 'NAME', 'HOLDER', 'PERMISSION', 'STATE', 'EXPIRES', 'LAST USED'], rows),
    )
  },
})

/** Returns a key without internal properties. */
function publicView(key: ApiKey, nowSeconds: number): object {
  const { org: _org, hash: _hash, ...shown } = key
  return { ...shown, state: keyStateOf(key, nowSeconds) }
}

const idArgument = {
  name: 'ID',
  help: 'ID of the key, as shown by muster keys list',
  required: true,
} as const

/** `muster keys revoke` */
export const keysRevoke = defineCommand({
  name: 'keys revoke',
  summary: 'Revoke an API key',
  needsStore: true,
  json: true,
  positionals: [idArgument],
  options: { org: orgOption },
  details: 'Example:\n  muster keys revoke 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const nowSeconds = Math.floor(systemClock.nowMs() / 1000)
    const key = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      const known = await requireKey(db, no, id, options.org)
      await db.inTransaction((tx) => revokeKey(tx, known, cliAuditContext()))
      return requireKey(db, no, id, options.org)
    })
    if (context.json) context.printJson(publicView(key, nowSeconds))
    else context.print(`Revoked ${key.start}… (${key.name}, ${key.holder}).`)
  },
})

async function requireKey(db: Db, org: number, id: string, orgName: string): Promise<ApiKey> {
  const key = await findApiKey(db, org, id)
  if (key) return key
  throw new CommandFailure(
    `There is no key with the ID ${JSON.stringify(id)} in the organization ${orgName}. Run muster keys list to see all keys.`,
  )
}

/** `muster keys rotate` */
export const keysRotate = defineCommand({
  name: 'keys rotate',
  summary: 'Replace an API key; the old key stops working after an overlap',
  needsStore: true,
  json: true,
  settings: ['publicUrl', 'port'],
  positionals: [idArgument],
  options: {
    overlap: {
      type: 'text',
      fallback: '24h',
      help: 'how long the old key continues to work; 0 revokes it immediately',
      placeholder: 'TIME',
    },
    org: orgOption,
  },
  details: `The new key has the name, holder, permission and lifetime of the old one.

Example:
  muster keys rotate 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --overlap 7d --json`,
  async run(context, { options, words: [id = ''] }) {
    const nowSeconds = Math.floor(systemClock.nowMs() / 1000)
    const overlapSeconds = parseTimeFromNow('--overlap', options.overlap, nowSeconds)
    const key = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      const old = await requireKey(db, no, id, options.org)
      const issueContext = { nowMs: nowSeconds * 1000, actor: cliAuditContext().actor }
      return db.inTransaction((tx) => rotateKey(tx, old, overlapSeconds, issueContext))
    }).catch((error: unknown) => {
      throw error instanceof ApiError ? new CommandFailure(error.message) : error
    })
    show(context, key)
    const end =
      overlapSeconds === 0
        ? 'was revoked'
        : `works until ${momentText(nowSeconds + overlapSeconds)} at the latest`
    if (!context.json) context.note(`\nThe old key ${id} ${end}.`)
  },
})
