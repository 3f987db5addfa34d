import { ApiError } from '@muster/contract/api/errors'
import { lookup } from '@muster/contract/api/fields'
import { administratorEmail } from '@muster/contract/console/console-fields'
import { roles } from '@muster/contract/console/console-operation'
import { emailLengthMaximum } from '@muster/contract/text/text-format'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { Organization } from '../../kernel/organizations/organizations.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { invite, removeAdministrator, resetPassword } from './administrator-actions.ts'
import { administratorView } from './administrator-view.ts'
import {
  type AdministratorRow,
  findAdministratorByEmail,
  listAdministratorRows,
} from './administrators.service.ts'
import type { NewLink } from './console-links.ts'

const emailArgument = {
  name: 'EMAIL',
  help: 'the e-mail address of the administrator',
  required: true,
  schema: lookup('The e-mail address.', 'ada.byron@example.com', emailLengthMaximum, 1),
} as const

const linkOrigin = (context: CommandContext) => ({
  publicUrl: context.config().publicUrl,
  id: newId(systemClock.nowMs()),
  nowSeconds: unixSeconds(systemClock),
})

/** Runs `work` in a transaction. An error of the API becomes a failure with the same message. */
async function inOrganization<T>(
  context: CommandContext,
  org: string,
  work: (tx: Tx, org: Organization) => Promise<T>,
): Promise<T> {
  try {
    return await withStore(context.config(), async (db: Db) => {
      const organization = await organizationNamed(db, org)
      return db.inTransaction((tx) => work(tx, organization))
    })
  } catch (error) {
    if (error instanceof ApiError) throw new CommandFailure(error.message)
    throw error
  }
}

async function administratorNamed(
  tx: Tx,
  { no, name }: Organization,
  email: string,
): Promise<AdministratorRow> {
  const row = await findAdministratorByEmail(tx, no, email)
  if (row) return row
  throw new CommandFailure(
    `The organization ${name} has no administrator ${JSON.stringify(email)}. List them with muster admin list.`,
  )
}

function showLink(context: CommandContext, message: string, { link, expirationTimestamp }: NewLink): void {
  if (context.json) {
    context.printJson({ link, expirationTimestamp })
    return
  }
  context.note(`${message} It works once, until ${momentText(expirationTimestamp)}:\n`)
  context.print(link)
}

/** `muster admin invite` */
export const adminInvite = defineCommand({
  name: 'admin invite',
  summary: 'Create a link that invites an administrator to the console',
  json: true,
  settings: ['publicUrl', 'port'],
  positionals: [{ ...emailArgument, schema: administratorEmail }],
  options: {
    role: {
      type: 'text',
      required: true,
      choices: ['owner', 'full-access', 'read-only'],
      help: 'role of the administrator',
    },
    org: orgOption,
  },
  details: 'Example:\n  muster admin invite ada@example.com --role owner',
  async run(context, { options, words: [email = ''] }) {
    const named = options.role.replace('-', '_').toUpperCase()
    const role = roles.find((one) => one === named) ?? 'READ_ONLY'
    const created = await inOrganization(context, options.org, (tx, { no: org }) =>
      invite(tx, linkOrigin(context), { org, email, role, invitedBy: null }, cliAuditContext()),
    )
    showLink(context, `Send this link to ${email}.`, created)
  },
})

/** `muster admin list` */
export const adminList = defineCommand({
  name: 'admin list',
  summary: 'List the console administrators',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: 'Example:\n  muster admin list --json',
  async run(context, { options }) {
    const all = await withStore(context.config(), async (db) => {
      const rows = await listAdministratorRows(db, (await organizationNamed(db, options.org)).no)
      return Promise.all(rows.map((row) => administratorView(db, row)))
    })
    if (context.json) return context.printJson(all)
    if (all.length === 0)
      return context.note('There are no administrators. Invite one with muster admin invite.')
    const rows = all.map(({ id, email, name, role, secondFactors, lastSignInTimestamp }) => [
      id,
      email,
      name,
      role,
      secondFactors.join(', ') || '-',
      momentText(lastSignInTimestamp),
    ])
    context.print(textTable(['ID', 'E-MAIL', 'NAME', 'ROLE', 'SECOND FACTORS', 'LAST SIGN-IN'], rows))
  },
})

/** `muster admin reset-password` */
export const adminResetPassword = defineCommand({
  name: 'admin reset-password',
  summary: 'Create a link that lets an administrator set a new password',
  needsStore: true,
  json: true,
  settings: ['publicUrl', 'port'],
  positionals: [emailArgument],
  options: {
    removeSecondFactors: {
      type: 'flag',
      help: 'also remove the password, authenticator app, passkeys and recovery codes, and end all sessions',
    },
    org: orgOption,
  },
  details: 'Example:\n  muster admin reset-password ada@example.com --remove-second-factors',
  async run(context, { options, words: [email = ''] }) {
    const resetOptions = { removeSecondFactors: options.removeSecondFactors, invitedBy: null }
    const created = await inOrganization(context, options.org, async (tx, organization) => {
      const row = await administratorNamed(tx, organization, email)
      return resetPassword(tx, linkOrigin(context), row, resetOptions, cliAuditContext())
    })
    const also = options.removeSecondFactors ? ' The old password no longer works.' : ''
    showLink(context, `Send this link to ${email}.${also}`, created)
  },
})

/** `muster admin remove` */
export const adminRemove = defineCommand({
  name: 'admin remove',
  summary: 'Remove a console administrator and end all their sessions',
  needsStore: true,
  json: true,
  positionals: [emailArgument],
  options: {
    revokeKeys: { type: 'flag', help: 'also revoke the API keys that the administrator holds' },
    org: orgOption,
  },
  details: 'Example:\n  muster admin remove ada@example.com --revoke-keys',
  async run(context, { options, words: [email = ''] }) {
    const { revokeKeys } = options
    const removed = await inOrganization(context, options.org, async (tx, organization) => {
      const { id } = await administratorNamed(tx, organization, email)
      return removeAdministrator(tx, organization.no, id, revokeKeys, cliAuditContext())
    })
    if (context.json) context.printJson({ id: removed.id, email: removed.email })
    else context.print(`Removed ${removed.email}.`)
  },
})
