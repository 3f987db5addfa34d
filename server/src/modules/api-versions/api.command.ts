import { type ApiVersion, apiVersions } from '@muster/contract/notice'
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

/** The version of the API that was typed. @throws UsageError that lists those there are */
function versionNamed(text: string): ApiVersion {
  const version = apiVersions.find((known) => known === text)
  if (version) return version
  throw new UsageError(
    `VERSION is ${JSON.stringify(text)}, but must be a version of the API: ${apiVersions.join(', ')}.`,
  )
}

function dateOf(option: string, text: string): number {
  const moment = readMoment(text)
  if (moment !== undefined && moment <= 4_294_967_295) return moment
  throw new UsageError(
    `${option} is ${JSON.stringify(text)}, but must be a date such as 2027-06-01 or 2027-06-01T18:00:00Z, before the year 2106.`,
  )
}

const optionOf = { deprecationTimestamp: '--on', sunsetTimestamp: '--sunset' } as const

/** How a version stands, and its messages over all organizations. */
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

/** Says how the messages get to people. */
function noteWay(context: CommandContext, told: number): void {
  if (told === 0) return
  const { smtpUrl, data } = context.config()
  const way =
    smtpUrl === undefined
      ? `No mail server is set (MUSTER_SMTP_URL), so each message becomes a file in ${data}/mail.`
      : 'The mail server of MUSTER_SMTP_URL gets them.'
  context.note(
    `Messages to ${told === 1 ? 'one holder of keys' : `${told} holders of keys`} wait; a server that runs sends them within seconds, else the next one that starts. ${way}`,
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
  const { changed, told } = change
  if (context.json) return context.printJson({ version, ...dates, changed, told })
  const until = dates.sunsetTimestamp === null ? '' : `, and ends on ${momentText(dates.sunsetTimestamp)}`
  const since = changed ? 'is deprecated from' : 'was set before to be deprecated from'
  context.print(`${version} ${since} ${momentText(dates.deprecationTimestamp)}${until}.`)
  noteWay(context, told)
}

async function withdraw(context: CommandContext, version: ApiVersion) {
  const { before, told } = await withStore(context.config(), (db) =>
    db.inTransaction((tx) => withdrawDatesBy(tx, version, systemClock.nowMs(), cliAuditContext())),
  )
  if (context.json) return context.printJson({ version, withdrawn: before !== undefined, told })
  context.print(before ? `${version} is not deprecated any more.` : `${version} was not deprecated.`)
  noteWay(context, told)
}

/** `muster api deprecate` */
export const apiDeprecate = defineCommand({
  name: 'api deprecate',
  summary: 'Set from when on a version of the API is deprecated, and tell all holders of keys',
  needsStore: true,
  json: true,
  positionals: [{ name: 'VERSION', help: `the version: ${apiVersions.join(', ')}`, required: true }],
  options: {
    on: { type: 'text', help: 'from when on it is deprecated: today (UTC) or later', placeholder: 'DATE' },
    sunset: {
      type: 'text',
      help: 'its end, after which nobody should count on it, if that is decided',
      placeholder: 'DATE',
    },
    withdraw: { type: 'flag', help: 'take the dates back, and tell whoever was told of them' },
  },
  details: `Every answer of the version says the dates by Deprecation and Sunset, and every holder of a key that works gets one mail;
so does, when a key is made, who gets one later. Another date is another notice; the same dates once more change nothing.

Examples:
  muster api deprecate v1 --on 2027-06-01
  muster api deprecate v1 --on 2027-06-01 --sunset 2028-06-01 --json
  muster api deprecate v1 --withdraw`,
  async run(context, { options: { on, sunset, withdraw: takenBack }, words: [word = ''] }) {
    const version = versionNamed(word)
    if (takenBack) {
      if (on !== undefined || sunset !== undefined)
        throw new UsageError('--withdraw takes the dates back: give it without --on and --sunset.')
      return withdraw(context, version)
    }
    if (on === undefined)
      throw new UsageError(
        '--on is missing: the date from which the version is deprecated, such as 2027-06-01.',
      )
    const deprecationTimestamp = dateOf('--on', on)
    const sunsetTimestamp = sunset === undefined ? null : dateOf('--sunset', sunset)
    return deprecate(context, version, { deprecationTimestamp, sunsetTimestamp })
  },
})

/** `muster api status` */
export const apiStatus = defineCommand({
  name: 'api status',
  summary: 'Say which versions of the API are deprecated, and how many holders of keys were told',
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
    context.print(textTable(['VERSION', 'DEPRECATED', 'ENDS', 'WAITING', 'SENT', 'FAILED', 'IN DOUBT'], rows))
  },
})
