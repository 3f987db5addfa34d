import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { noticeSummary } from './notice-mail.ts'
import { findNotice, listNoticeRows, type NoticeRow, retryNotice } from './notices.service.ts'

const shownMaximum = 10_000

/** A message without what only the server needs. */
const shown = (row: NoticeRow) => {
  const { id, kind, address, state, attempts, way, lastError, creationTimestamp, sentTimestamp } = row
  const facts = { id, kind, address, state, attempts, way, lastError, creationTimestamp, sentTimestamp }
  return { ...facts, about: noticeSummary(row) }
}

/** `muster notices list` */
export const noticesList = defineCommand({
  name: 'notices list',
  summary: 'List the mails that tell people of dates, expiring keys and webhooks that were switched off',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: 'Those that were not sent come first.\n\nExample:\n  muster notices list --json',
  async run(context, { options }) {
    const rows = await withStore(context.config(), async (db) =>
      listNoticeRows(db, (await organizationNamed(db, options.org)).no, shownMaximum),
    )
    const notices = rows.map(shown)
    if (context.json) return context.printJson(notices)
    if (notices.length === 0) return context.note('There are no notices.')
    const cells = notices.map(({ id, state, address, about, sentTimestamp, lastError }) => [
      id,
      state,
      address,
      about,
      momentText(sentTimestamp),
      lastError ?? '',
    ])
    context.print(textTable(['ID', 'STATE', 'TO', 'ABOUT', 'SENT', 'LAST ANSWER'], cells))
  },
})

/** `muster notices resend` */
export const noticesResend = defineCommand({
  name: 'notices resend',
  summary: 'Send a mail now that failed, is in doubt or waits; one in doubt may then arrive twice',
  needsStore: true,
  json: true,
  positionals: [{ name: 'ID', help: 'the id of the mail, as muster notices list shows it', required: true }],
  options: { org: orgOption },
  details: 'Example:\n  muster notices resend 01937b5e-6c3a-8d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const notice = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      const taken = await db.inTransaction((tx) => retryNotice(tx, no, id, systemClock.nowMs()))
      const found = await findNotice(db, no, id)
      if (!found)
        throw new CommandFailure(
          `There is no mail with the id ${JSON.stringify(id)} in the organization ${options.org}. muster notices list shows them.`,
        )
      if (!taken)
        throw new CommandFailure(
          `The mail ${id} is ${found.state}: only one that is FAILED, IN_DOUBT or PENDING can be sent once more, and not while it is being sent.`,
        )
      return found
    })
    if (context.json) context.printJson(shown(notice))
    else context.print(`The mail to ${notice.address} is sent once more by the server that runs.`)
  },
})
