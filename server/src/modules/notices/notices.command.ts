import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { noticeSummary } from './notice-mail.ts'
import { findNotice, listNoticeRows, type NoticeRow, retryNotice } from './notices.service.ts'

const maxShown = 10_000

/** Returns the public properties of a message. */
const view = (row: NoticeRow) => {
  const { id, kind, address, state, attempts, way, lastError, creationTimestamp, sentTimestamp } = row
  const facts = { id, kind, address, state, attempts, way, lastError, creationTimestamp, sentTimestamp }
  return { ...facts, about: noticeSummary(row) }
}

/** `muster notices list` */
export const noticesList = defineCommand({
  name: 'notices list',
  summary: 'List e-mails about API deprecation, expiring keys and disabled webhooks',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: 'Unsent e-mails are listed first.\n\nExample:\n  muster notices list --json',
  async run(context, { options }) {
    const rows = await withStore(context.config(), async (db) =>
      listNoticeRows(db, (await organizationNamed(db, options.org)).no, maxShown),
    )
    const notices = rows.map(view)
    if (context.json) return context.printJson(notices)
    if (notices.length === 0) return context.note('No e-mails.')
    const cells = notices.map(({ id, state, address, about, sentTimestamp, lastError }) => [
      id,
      state,
      address,
      about,
      momentText(sentTimestamp),
      lastError ?? '',
    ])
    context.print(textTable(['ID', 'STATE', 'TO', 'ABOUT', 'SENT', 'LAST ERROR'], cells))
  },
})

/** `muster notices resend` */
export const noticesResend = defineCommand({
  name: 'notices resend',
  summary: 'Send a failed, doubtful or pending e-mail now; a doubtful one may arrive twice',
  needsStore: true,
  json: true,
  positionals: [{ name: 'ID', help: 'ID of the e-mail, as shown by muster notices list', required: true }],
  options: { org: orgOption },
  details: 'Example:\n  muster notices resend 01937b5e-6c3a-8d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const notice = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      const queued = await db.inTransaction((tx) => retryNotice(tx, no, id, systemClock.nowMs()))
      const found = await findNotice(db, no, id)
      if (!found)
        throw new CommandFailure(
          `There is no e-mail with the ID ${JSON.stringify(id)} in the organization ${options.org}. Run muster notices list to see all e-mails.`,
        )
      if (!queued)
        throw new CommandFailure(
          `E-mail ${id} is ${found.state}. Only e-mails that are FAILED, IN_DOUBT or PENDING and not being sent can be sent again.`,
        )
      return found
    })
    if (context.json) context.printJson(view(notice))
    else context.print(`Queued the e-mail to ${notice.address}. A running server sends it now.`)
  },
})
