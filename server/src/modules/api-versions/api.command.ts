import { type ApiVersion, apiVersions } from '@muster/contract/records/notice'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { momentText, readMoment } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { countNotices } from '../notices/notices.service.ts'
import { findApiDeprecation } from './api-deprecations.service.ts'
import { setDatesBy, withdrawDatesBy } from './change-dates.ts'
import type { DeprecationDates } from './deprecation.rules.ts'

/** Parses an API version. @throws UsageError for an unknown version */
function parseVersion(text: string): ApiVersion {
  const version = apiVersions.find((known) => known === text)
  if (version) return version
  throw new UsageError(
    `VERSION is ${JSON.stringify(text)}, but must be an API version: ${apiVersions.join(', ')}.`,
  )
}

function parseDate(option: string, text: string): number {
  const moment = readMoment(text)
  if (moment !== undefined && moment <= 4_294_967_295) return moment
  throw new UsageError(
    `${option} is ${JSON.stringify(text)}, but must be a date such as 2027-06-01 or 2027-06-01T18:00:00Z, before the year 2106.`,
  )
}

const optionOf = { deprecationTimestamp: '--on', sunsetTimestamp: '--sunset' } as const

/** Returns the dates of a version and the message counts of all organizations. */
async function versionStatus(db: Reader, version: ApiVersion) {
  const row = await findApiDeprecation(db, version)
  const counts = row ? await countNotices(db, { subject: row.noticeId }) : {}
  return {
    version,
    deprecationTimestamp: row?.deprecationTimestamp ?? null,
    sunsetTimestamp: row?.sunsetTimestamp ?? null,
    changedTimestamp: row?.changedTimestamp ?? null,
    messages: {
      waiting: (counts.PENDING ?? 0) + (counts.SENDING ?? 0),
      sent: counts.SENT ?? 0,
      failed: counts.FAILED ?? 0,
      inDoubt: counts.IN_DOUBT ?? 0,
    },
  }
}

/** Prints how the queued messages are delivered. */
function printDelivery(context: CommandContext, notified: number): void {
  if (notified === 0) return
  const { smtpUrl, data } = context.config()
  const delivery =
    smtpUrl === undefined
      ? `Without a mail server, in MUSTER_SMTP_URL or in the console, they are written to ${data}/mail.`
      : 'They go to the mail server in MUSTER_SMTP_URL.'
  context.note(
    `Queued messages to ${notified === 1 ? 'one key holder' : `${notified} key holders`}. A running server sends them within seconds. ${delivery}`,
  )
}

async function deprecate(context: CommandContext, version: ApiVersion, dates: DeprecationDates) {
  const nowMs = systemClock.nowMs()
  const plan = { ...dates, version, noticeId: newId(nowMs) }
  const change = await withStore(context.config(), (db) =>
    db.inTransaction((tx) => setDatesBy(tx, plan, nowMs, cliAuditContext())),
  )
  if (change.mistakes.length > 0) {
    throw new UsageError(
      change.mistakes.map(({ name, message }) => `${optionOf[name]} ${message}.`).join('\n'),
    )
  }
  const { changed, notified } = change
  if (context.json) return context.printJson({ version, ...dates, changed, told: notified })
  const until = dates.sunsetTimestamp === null ? '' : `, and ends on ${momentText(dates.sunsetTimestamp)}`
  const since = changed ? 'is deprecated from' : 'was already deprecated from'
  context.print(`${version} ${since} ${momentText(dates.deprecationTimestamp)}${until}.`)
  printDelivery(context, notified)
}

async function withdraw(context: CommandContext, version: ApiVersion) {
  const { before, notified } = await withStore(context.config(), (db) =>
    db.inTransaction((tx) => withdrawDatesBy(tx, version, systemClock.nowMs(), cliAuditContext())),
  )
  if (context.json) return context.printJson({ version, withdrawn: before !== undefined, told: notified })
  context.print(before ? `${version} is no longer deprecated.` : `${version} was not deprecated.`)
  printDelivery(context, notified)
}

/** `muster api deprecate` */
export const apiDeprecate = defineCommand({
  name: 'api deprecate',
  summary: 'Set or withdraw the deprecation of an API version and notify key holders',
  needsStore: true,
  json: true,
  positionals: [{ name: 'VERSION', help: `API version: ${apiVersions.join(', ')}`, required: true }],
  options: {
    on: { type: 'text', help: 'deprecation date: today (UTC) or later', placeholder: 'DATE' },
    sunset: {
      type: 'text',
      help: 'end date, after which the version may stop working',
      placeholder: 'DATE',
    },
    withdraw: { type: 'flag', help: 'withdraw the dates and notify everyone who was notified of them' },
  },
  details: `Responses of the version get the headers Deprecation and Sunset. Every holder of an active key gets one e-mail, and so do
holders of keys created later. Other dates cause another e-mail. Setting the same dates again has no effect.

Examples:
  muster api deprecate v1 --on 2027-06-01
  muster api deprecate v1 --on 2027-06-01 --sunset 2028-06-01 --json
  muster api deprecate v1 --withdraw`,
  async run(context, { options: { on, sunset, withdraw: isWithdrawal }, words: [word = ''] }) {
    const version = parseVersion(word)
    if (isWithdrawal) {
      if (on !== undefined || sunset !== undefined)
        throw new UsageError('--withdraw cannot be combined with --on or --sunset.')
      return withdraw(context, version)
    }
    if (on === undefined) throw new UsageError('--on is required: the deprecation date, such as 2027-06-01.')
    const deprecationTimestamp = parseDate('--on', on)
    const sunsetTimestamp = sunset === undefined ? null : parseDate('--sunset', sunset)
    return deprecate(context, version, { deprecationTimestamp, sunsetTimestamp })
  },
})

/** `muster api status` */
export const apiStatus = defineCommand({
  name: 'api status',
  summary: 'Show deprecated API versions and the state of e-mails to key holders',
  needsStore: true,
  json: true,
  options: {},
  details: 'Example:\n  muster api status --json',
  async run(context) {
    const all = await withStore(context.config(), (db) =>
      Promise.all(apiVersions.map((version) => versionStatus(db, version))),
    )
    if (context.json) return context.printJson(all)
    const rows = all.map(({ version, deprecationTimestamp, sunsetTimestamp, messages }) => [
      version,
      momentText(deprecationTimestamp),
      momentText(sunsetTimestamp),
      ...Object.values(messages).map(String),
    ])
    context.print(textTable(['VERSION', 'DEPRECATED', 'ENDS', 'PENDING', 'SENT', 'FAILED', 'IN DOUBT'], rows))
  },
})
