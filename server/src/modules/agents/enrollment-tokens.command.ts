import { typedName } from '@muster/contract/api/fields'
import { added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { hashToken, newEnrollmentToken } from '../../kernel/lib/secrets/agent-token.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import {
  type EnrollmentTokenRow,
  insertEnrollmentToken,
  listEnrollmentTokens,
  revokeEnrollmentToken,
} from './enrollment-tokens.service.ts'

const shown = ({
  id,
  name,
  creationTimestamp,
  revokedTimestamp,
  lastUsedTimestamp,
  uses,
}: EnrollmentTokenRow) => ({
  id,
  name,
  creationTimestamp,
  revokedTimestamp,
  lastUsedTimestamp,
  uses: Number(uses),
})

/** `muster enrollment-tokens create` */
export const enrollmentTokensCreate = defineCommand({
  name: 'enrollment-tokens create',
  summary: 'Create a token with which managed browsers enroll automatically; it is shown once',
  json: true,
  settings: ['publicUrl', 'port'],
  options: {
    name: {
      type: 'text',
      required: true,
      schema: typedName('Purpose of the token.', 'laptops', 128),
      help: 'purpose of the token, such as a device group',
      placeholder: 'NAME',
    },
    org: orgOption,
  },
  details: `Set it as enrolmentToken in the managed policy of browsers; the page /agent/ of the server shows how.

Example:
  muster enrollment-tokens create --name laptops`,
  async run(context, { options: { name, org } }) {
    const token = newEnrollmentToken()
    const nowMs = systemClock.nowMs()
    const row = { id: newId(nowMs), name, creationTimestamp: Math.floor(nowMs / 1000) }
    const config = context.config()
    await withStore(config, async (db) => {
      const { no } = await organizationNamed(db, org)
      await db.inTransaction(async (tx) => {
        await insertEnrollmentToken(tx, { ...row, org: no, hash: hashToken(token) })
        await auditCliChange(tx, no, 'enrollment tokens', [added('token', `${row.id}: ${name}`)])
      })
    })
    if (context.json) return context.printJson({ ...row, token })
    context.note(`Enrollment token ${row.id} (${name}). It is shown only once:\n`)
    context.print(token)
    const policy = { serverUrl: config.publicUrl, enrolmentToken: token }
    context.note(`\nManaged policy of the extension: ${JSON.stringify(policy)}`)
  },
})

/** `muster enrollment-tokens list` */
export const enrollmentTokensList = defineCommand({
  name: 'enrollment-tokens list',
  summary: 'List the enrollment tokens of managed browsers',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: 'Example:\n  muster enrollment-tokens list --json',
  async run(context, { options }) {
    const tokens = await withStore(context.config(), async (db) =>
      listEnrollmentTokens(db, (await organizationNamed(db, options.org)).no),
    )
    if (context.json) return context.printJson(tokens.map(shown))
    if (tokens.length === 0)
      return context.note('No enrollment tokens. Create one with muster enrollment-tokens create.')
    const rows = tokens.map(({ id, name, creationTimestamp, revokedTimestamp, lastUsedTimestamp, uses }) => [
      id,
      name,
      revokedTimestamp === null ? 'active' : 'revoked',
      momentText(creationTimestamp),
      String(uses),
      lastUsedTimestamp === null ? 'never' : momentText(lastUsedTimestamp),
    ])
    context.print(textTable(['ID', 'NAME', 'STATE', 'CREATED', 'USES', 'LAST USED'], rows))
  },
})

/** `muster enrollment-tokens revoke` */
export const enrollmentTokensRevoke = defineCommand({
  name: 'enrollment-tokens revoke',
  summary: 'Revoke an enrollment token; browsers that enrolled with it stay enrolled',
  needsStore: true,
  json: true,
  positionals: [
    {
      name: 'ID',
      help: 'ID of the token, see muster enrollment-tokens list',
      required: true,
    },
  ],
  options: { org: orgOption },
  details: 'Example:\n  muster enrollment-tokens revoke 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const token = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      await db.inTransaction(async (tx) => {
        if (await revokeEnrollmentToken(tx, no, id, unixSeconds(systemClock)))
          await auditCliChange(tx, no, 'enrollment tokens', [removed('token', id)])
      })
      return (await listEnrollmentTokens(db, no)).find((known) => known.id === id)
    })
    if (!token) {
      throw new CommandFailure(
        `No enrollment token ${JSON.stringify(id)} in the organization ${options.org}. muster enrollment-tokens list lists all tokens.`,
      )
    }
    if (context.json) context.printJson(shown(token))
    else context.print(`Revoked the enrollment token ${token.name} (${id}).`)
  },
})
