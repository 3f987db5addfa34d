import { typedName } from '@muster/contract/api/fields'
import {
  alertDestinations,
  alertSchedules,
  alertTriggers,
  weekdays,
} from '@muster/contract/console/alerts/alert-kinds'
import { AlertRuleChange, AlertRuleInput } from '@muster/contract/console/alerts/alert-rule'
import { detectionTypes, severities } from '@muster/contract/records/detection'
import { findingTypes } from '@muster/contract/records/finding'
import { priorities } from '@muster/contract/risk/risk-levels'
import {
  type CommandContext,
  defineCommand,
  type OptionValues,
  UsageError,
} from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { parseWords } from '../../kernel/cli/parse-words.ts'
import { readTextFile } from '../../kernel/cli/read-json.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { bodyReader } from '../../kernel/http/body.ts'
import { webhookOrg, withWebhooks } from '../webhooks/webhook-command-context.ts'
import { alertIdArgument, timeZoneOf } from './alert-command-parts.ts'
import { alertRuleViews } from './alert-view.ts'
import type { AlertTarget } from './destinations/destination.ts'
import { addAlertRule, changeAlertRule, removeAlertRule } from './manage-alerts.ts'

const dayNames = weekdays.map((day) => day.toUpperCase())

/** Options of the members of a rule. */
const ruleOptions = {
  name: {
    type: 'text',
    schema: typedName('Name.', 'Phishing', 128),
    help: 'name of the rule, shown in the alerts',
    placeholder: 'NAME',
  },
  on: { type: 'list', help: `comma-separated events: ${alertTriggers.join(', ')}`, placeholder: 'A,B' },
  to: {
    type: 'list',
    help: 'e-mail address, for --destination EMAIL; may be repeated',
    placeholder: 'EMAIL',
  },
  destination: { type: 'text', choices: alertDestinations, help: 'kind of receiver' },
  url: {
    type: 'text',
    help: 'URL of the webhook, visible to other users of this machine',
    placeholder: 'URL',
  },
  key: {
    type: 'text',
    help: 'integration key of PagerDuty, or signing secret of a webhook',
    placeholder: 'KEY',
  },
  targetFile: {
    type: 'text',
    help: 'file with the URL in the first line and the key in the second, or - for standard input',
    placeholder: 'FILE',
  },
  schedule: { type: 'text', choices: alertSchedules, help: 'at once, or a digest' },
  hour: { type: 'number', minimum: 0, maximum: 23, help: 'hour of daily and weekly digests' },
  weekday: { type: 'text', choices: dayNames, help: 'day of weekly digests' },
  minSeverity: { type: 'text', choices: severities, help: 'lowest severity of detections' },
  minPriority: { type: 'text', choices: priorities, help: 'lowest priority of findings' },
  detectionTypes: { type: 'list', help: 'comma-separated types of detections', placeholder: 'A,B' },
  findingTypes: { type: 'list', help: 'comma-separated types of findings', placeholder: 'A,B' },
  groups: { type: 'list', help: 'group of employees; may be repeated', placeholder: 'GROUP' },
  silentDays: {
    type: 'number',
    minimum: 1,
    maximum: 365,
    help: 'days without contact after which an agent is silent',
  },
  org: webhookOrg,
} as const

type RuleOptions = OptionValues<typeof ruleOptions>

/** Returns the members that were given. */
async function givenMembers(context: CommandContext, options: RuleOptions) {
  const triggers = parseWords('--on', options.on, alertTriggers)
  const detections = parseWords('--detection-types', options.detectionTypes, detectionTypes)
  const findings = parseWords('--finding-types', options.findingTypes, findingTypes)
  const target = await givenTarget(context, options)
  const { destination, schedule, hour, minSeverity, minPriority, silentDays, weekday, name } = options
  return {
    ...(name !== undefined && { name }),
    ...(options.on.length > 0 && { triggers }),
    ...(options.detectionTypes.length > 0 && { detectionTypes: detections }),
    ...(options.findingTypes.length > 0 && { findingTypes: findings }),
    ...(options.to.length > 0 && { addresses: [...options.to] }),
    ...(options.groups.length > 0 && { groups: options.groups.filter((group) => group !== '') }),
    ...(destination !== undefined && { destination }),
    ...(schedule !== undefined && { schedule }),
    ...(hour !== undefined && { hour }),
    ...(weekday !== undefined && { weekday: dayNames.indexOf(weekday) + 1 }),
    ...(minSeverity !== undefined && { minSeverity }),
    ...(minPriority !== undefined && { minPriority }),
    ...(silentDays !== undefined && { silentDays }),
    ...(target && { target }),
  }
}

async function givenTarget(
  context: CommandContext,
  { url, key, targetFile }: RuleOptions,
): Promise<AlertTarget | undefined> {
  const [first, second] =
    targetFile === undefined
      ? []
      : (await readTextFile(context, targetFile)).split(/\r?\n/).map((line) => line.trim())
  const given = { url: url ?? first ?? '', key: key ?? second ?? '' }
  if (given.url === '' && given.key === '') return undefined
  return { ...(given.url !== '' && { url: given.url }), ...(given.key !== '' && { key: given.key }) }
}

const readInput = bodyReader(AlertRuleInput)
const readChange = bodyReader(AlertRuleChange)
const asBody = (members: object): Buffer => Buffer.from(JSON.stringify(members))

/** `muster alerts add` */
export const alertsAdd = defineCommand({
  name: 'alerts add',
  summary: 'Add a rule that tells people about events',
  json: true,
  settings: ['webhooksAllowPrivate'],
  options: {
    ...ruleOptions,
    name: { ...ruleOptions.name, required: true },
    destination: { ...ruleOptions.destination, required: true },
  },
  details: `URLs and keys are secret. Values on the command line are visible in the process list and the shell history; use
--target-file for them.

Examples:
  muster alerts add --name Phishing --on DETECTION --min-severity HIGH --destination SLACK --target-file slack.txt
  muster alerts add --name Weekly --on FINDING,NEW_APP --destination EMAIL --to soc@example.com --schedule WEEKLY
  muster alerts add --name On-call --on DETECTION --destination PAGERDUTY --target-file pagerduty.txt`,
  async run(context, { options }) {
    const members = await givenMembers(context, options)
    const input = {
      ...members,
      name: options.name,
      destination: options.destination,
      triggers: members.triggers ?? ['DETECTION' as const],
    }
    const [rule] = await withWebhooks(
      context,
      options.org,
      async ({ org, actor, ...parts }) => {
        const added = await addAlertRule(parts, org, readInput(asBody(input)) as AlertRuleInput, actor)
        return alertRuleViews(parts.db, org, [added])
      },
      'alerts',
    )
    if (context.json) return context.printJson(rule)
    context.print(`Added rule ${rule?.id}.`)
    context.note(`\nSend a test message with: muster alerts test ${rule?.id}`)
  },
})

/** `muster alerts set` */
export const alertsSet = defineCommand({
  name: 'alerts set',
  summary: 'Change a rule; lists are replaced as a whole, and an empty text clears one',
  needsStore: true,
  json: true,
  settings: ['webhooksAllowPrivate'],
  positionals: [alertIdArgument],
  options: ruleOptions,
  details: `Examples:
  muster alerts set 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --schedule DAILY --hour 8
  muster alerts set 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --groups ""`,
  async run(context, { options, words: [id = ''] }) {
    const members = await givenMembers(context, options)
    if (Object.keys(members).length === 0)
      throw new UsageError('Nothing to change. Give at least one option.')
    const timeZone = await timeZoneOf(context, options.org)
    const [rule] = await withWebhooks(
      context,
      options.org,
      async ({ org, actor, ...parts }) => {
        const change = readChange(asBody(members)) as AlertRuleChange
        const changed = await changeAlertRule(parts, org, id, change, { actor, timeZone })
        return alertRuleViews(parts.db, org, [changed])
      },
      'alerts',
    )
    if (context.json) context.printJson(rule)
    else context.print('Changed.')
  },
})

/** `muster alerts list` */
export const alertsList = defineCommand({
  name: 'alerts list',
  summary: 'List the rules that tell people about events',
  needsStore: true,
  json: true,
  options: { org: webhookOrg },
  details: 'Example:\n  muster alerts list --json',
  async run(context, { options }) {
    const rules = await withWebhooks(context, options.org, ({ db, org }) => alertRuleViews(db, org), 'alerts')
    if (context.json) return context.printJson(rules)
    if (rules.length === 0) return context.note('No rules. Add one with: muster alerts add')
    const rows = rules.map((rule) => [
      rule.id,
      rule.name,
      rule.triggers.join(','),
      rule.destination,
      rule.target ?? rule.addresses.join(','),
      rule.schedule,
      rule.enabled ? 'enabled' : 'disabled',
      String(rule.waiting),
      String(rule.undelivered),
      momentText(rule.nextTimestamp),
    ])
    const head = [
      'ID',
      'NAME',
      'EVENTS',
      'DESTINATION',
      'RECEIVER',
      'SCHEDULE',
      'STATE',
      'WAITING',
      'UNDELIVERED',
    ]
    context.print(textTable([...head, 'NEXT DIGEST'], rows))
  },
})

/** `muster alerts remove` */
export const alertsRemove = defineCommand({
  name: 'alerts remove',
  summary: 'Remove a rule with its log',
  needsStore: true,
  json: true,
  positionals: [alertIdArgument],
  options: { org: webhookOrg },
  details: 'Example:\n  muster alerts remove 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const { endpoint } = await withWebhooks(
      context,
      options.org,
      ({ org, actor, ...parts }) => removeAlertRule(parts, org, id, actor),
      'alerts',
    )
    if (context.json) context.printJson({ id, name: endpoint.name })
    else context.print(`Removed rule ${endpoint.name}.`)
  },
})

const setEnabledCommand = (name: 'enable' | 'disable', enabled: boolean, summary: string, done: string) =>
  defineCommand({
    name: `alerts ${name}`,
    summary,
    needsStore: true,
    json: true,
    positionals: [alertIdArgument],
    options: { org: webhookOrg },
    details: `Example:\n  muster alerts ${name} 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90`,
    async run(context, { options, words: [id = ''] }) {
      const timeZone = await timeZoneOf(context, options.org)
      const { endpoint } = await withWebhooks(
        context,
        options.org,
        ({ org, actor, ...parts }) => changeAlertRule(parts, org, id, { enabled }, { actor, timeZone }),
        'alerts',
      )
      if (context.json) context.printJson({ id, enabled })
      else context.print(`Rule ${endpoint.name} ${done}`)
    },
  })

/** `muster alerts enable` */
export const alertsEnable = setEnabledCommand(
  'enable',
  true,
  'Enable a rule and send its pending messages',
  'is enabled.',
)

/** `muster alerts disable` */
export const alertsDisable = setEnabledCommand(
  'disable',
  false,
  'Disable a rule; what happens meanwhile is not sent later',
  'is disabled.',
)
