import { typedName } from '@muster/contract/api/fields'
import { scimTokenNameMaximum } from '@muster/contract/console/directory/console-directory'
import { added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange, cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { hashToken } from '../../kernel/lib/secrets/agent-token.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { scimPrefix } from './protocol/discovery.rules.ts'
import {
  insertScimToken,
  listScimTokens,
  newScimToken,
  revokeScimToken,
  type ScimToken,
} from './scim-tokens.service.ts'

const setting = 'directory tokens'

const shown = ({ org: _org, ...token }: ScimToken) => token

/** Returns the creator of tokens from the command line. */
const commandLineUser = (): string => {
  const { actor } = cliAuditContext()
  return actor.source === 'CLI' ? `${actor.user} (command line)`.slice(0, 254) : 'command line'
}

/** `muster scim token create` */
export const scimTokenCreate = defineCommand({
  name: 'scim token create',
  summary: 'Create a token with which a directory manages employees by SCIM; it is shown once',
  needsStore: true,
  json: true,
  settings: ['publicUrl', 'port'],
  options: {
    name: {
      type: 'text',
      required: true,
      schema: typedName('Name of the directory.', 'Okta', scimTokenNameMaximum),
      help: 'name of the directory, such as Okta',
      placeholder: 'NAME',
    },
    'no-licenses': { type: 'flag', help: 'do not give users a license when they become active' },
    org: orgOption,
  },
  details: `Enter the token and the base URL, which the command prints, in the identity provider.

Example:
  muster scim token create --name Okta`,
  async run(context, { options }) {
    const { name, org } = options
    const token = newScimToken()
    const nowMs = systemClock.nowMs()
    const row = {
      id: newId(nowMs),
      name,
      assignsLicenses: !options['no-licenses'],
      creationTimestamp: Math.floor(nowMs / 1000),
    }
    const config = context.config()
    await withStore(config, async (db) => {
      const { no } = await organizationNamed(db, org)
      await db.inTransaction(async (tx) => {
        const createdBy = commandLineUser()
        await insertScimToken(tx, { ...row, org: no, createdBy }, hashToken(token))
        await auditCliChange(tx, no, setting, [added('token', `${row.id}: ${name}`)])
      })
    })
    const baseUrl = `${config.publicUrl}${scimPrefix}`
    if (context.json) return context.printJson({ ...row, baseUrl, token })
    context.note(`Token ${row.id} (${name}). It is shown only once:\n`)
    context.print(token)
    context.note(`\nBase URL: ${baseUrl}`)
  },
})

/** `muster scim token list` */
export const scimTokenList = defineCommand({
  name: 'scim token list',
  summary: 'List the tokens of directories',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: 'Example:\n  muster scim token list --json',
  async run(context, { options }) {
    const tokens = await withStore(context.config(), async (db) =>
      listScimTokens(db, (await organizationNamed(db, options.org)).no),
    )
    if (context.json) return context.printJson(tokens.map(shown))
    if (tokens.length === 0) return context.note('No tokens. Create one with muster scim token create.')
    const rows = tokens.map((token) => [
      token.id,
      token.name,
      token.revokedTimestamp === null ? 'active' : 'revoked',
      token.assignsLicenses ? 'yes' : 'no',
      momentText(token.creationTimestamp),
      token.lastUsedTimestamp === null ? 'never' : momentText(token.lastUsedTimestamp),
    ])
    context.print(textTable(['ID', 'NAME', 'STATE', 'LICENSES', 'CREATED', 'LAST USED'], rows))
  },
})

/** `muster scim token revoke` */
export const scimTokenRevoke = defineCommand({
  name: 'scim token revoke',
  summary: 'Revoke the token of a directory; its users and groups stay',
  needsStore: true,
  json: true,
  positionals: [{ name: 'ID', help: 'ID of the token, see muster scim token list', required: true }],
  options: { org: orgOption },
  details: 'Example:\n  muster scim token revoke 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const token = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      await db.inTransaction(async (tx) => {
        if (await revokeScimToken(tx, no, id, unixSeconds(systemClock)))
          await auditCliChange(tx, no, setting, [removed('token', id)])
      })
      return (await listScimTokens(db, no)).find((known) => known.id === id)
    })
    if (!token)
      throw new CommandFailure(
        `No token ${JSON.stringify(id)} in the organization ${options.org}. muster scim token list lists all tokens.`,
      )
    if (context.json) context.printJson(shown(token))
    else context.print(`Revoked the token ${token.name} (${id}).`)
  },
})
