import { webhookBatchMaximum, webhookName } from '@muster/contract/console/console-webhooks'
import { eventCategories } from '@muster/contract/events/event-envelope'
import { eventObjects } from '@muster/contract/events/event-objects'
import { type CommandContext, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { parseWords } from '../../kernel/cli/parse-words.ts'
import { readTextFile } from '../../kernel/cli/read-json.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import type { StaticHeader } from './delivery/target.rules.ts'
import { addWebhook, changeWebhook, removeWebhook, rotateWebhook } from './manage-webhooks.ts'
import { webhookIdArgument, webhookOrg, withWebhooks } from './webhook-command-context.ts'
import { webhookView } from './webhook-view.ts'
import { listWebhookRows } from './webhooks.service.ts'

/** `muster webhooks add` */
export const webhooksAdd = defineCommand({
  name: 'webhooks add',
  summary: 'Add a webhook endpoint and show its signing secret',
  json: true,
  settings: ['webhooksAllowPrivate', 'webhooksCa'],
  options: {
    url: { type: 'text', required: true, help: 'https URL that events are sent to', placeholder: 'URL' },
    name: { type: 'text', schema: webhookName, help: 'display name', placeholder: 'NAME' },
    categories: {
      type: 'list',
      help: `comma-separated event categories: ${eventCategories.join(', ')}`,
      placeholder: 'A,B',
    },
    objects: {
      type: 'list',
      help: 'comma-separated event objects in addition to the categories, such as LOGIN',
      placeholder: 'X,Y',
    },
    header: {
      type: 'list',
      help: 'static request header, visible to other users of this machine; may be repeated',
      placeholder: 'NAME:VALUE',
    },
    headerFile: {
      type: 'text',
      help: 'file with static headers, one per line, or - for standard input',
      placeholder: 'FILE',
    },
    batch: {
      type: 'number',
      fallback: '1',
      minimum: 1,
      maximum: webhookBatchMaximum,
      help: 'maximum number of events per request; more than 1 sends arrays of events',
    },
    org: webhookOrg,
  },
  details: `Without --categories and --objects the endpoint receives all events. Values of --header are visible in the
process list and the shell history. Use --header-file for tokens.

Examples:
  muster webhooks add --url https://siem.example.com/muster
  muster webhooks add --url https://siem.example.com/muster --categories DETECTION,CONTROL --objects LOGIN
  muster webhooks add --url https://siem.example.com/muster --header-file headers.txt --json
  echo "Authorization: Splunk $TOKEN" | muster webhooks add --url https://siem.example.com/muster --header-file -`,
  async run(context, { options }) {
    const input = {
      url: options.url,
      name: options.name,
      categories: parseWords('--categories', options.categories, eventCategories),
      objects: parseWords('--objects', options.objects, eventObjects),
      headers: [
        ...options.header.map((text) => parseHeader('--header', text)),
        ...(await readHeaders(context, options.headerFile)),
      ],
      batchSize: options.batch,
    }
    const { webhook, secret } = await withWebhooks(context, options.org, ({ org, actor, ...webhooks }) =>
      addWebhook(webhooks, org, input, actor),
    )
    showSecret(context, webhook.id, secret)
    if (!context.json) context.note(`\nSend a test event with: muster webhooks test ${webhook.id}`)
  },
})

/** @param source option and line, for the error */
function parseHeader(source: string, text: string): StaticHeader {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`${source} must have the form NAME:VALUE, such as "Authorization: Bearer x".`)
  return [name, value]
}

/** Reads headers from a file, one per line. Ignores empty lines. */
async function readHeaders(context: CommandContext, path: string | undefined): Promise<StaticHeader[]> {
  if (path === undefined) return []
  const lines = (await readTextFile(context, path)).split(/\r?\n/).map((line) => line.trim())
  return lines.flatMap((line, index) =>
    line === '' ? [] : [parseHeader(`--header-file: line ${index + 1}`, line)],
  )
}

function showSecret(context: CommandContext, id: string, secret: string): void {
  if (context.json) {
    context.printJson({ id, secret })
    return
  }
  context.note(`Signing secret of endpoint ${id}. It is shown only once:\n`)
  context.print(secret)
}

/** `muster webhooks list` */
export const webhooksList = defineCommand({
  name: 'webhooks list',
  summary: 'List webhook endpoints and their delivery status',
  needsStore: true,
  json: true,
  options: { org: webhookOrg },
  details: 'Example:\n  muster webhooks list --json',
  async run(context, { options }) {
    const shown = await withWebhooks(context, options.org, async ({ db, key, clock, org }) => {
      const nowSeconds = Math.floor(clock.nowMs() / 1000)
      const rows = await listWebhookRows(db, org)
      return Promise.all(rows.map((row) => webhookView(db, key, row, nowSeconds)))
    })
    if (context.json) return context.printJson(shown)
    if (shown.length === 0) return context.note('No endpoints. Add one with: muster webhooks add --url URL')
    const rows = shown.map((webhook) => [
      webhook.id,
      webhook.name ?? '-',
      webhook.url,
      [...webhook.categories, ...webhook.objects].join(','),
      stateText(webhook.enabled, webhook.disabledReason),
      String(webhook.pending),
      String(webhook.dayDelivered),
      String(webhook.dayFailed),
      momentText(webhook.oldestPendingTimestamp),
    ])
    const head = ['ID', 'NAME', 'URL', 'EVENTS', 'STATE', 'PENDING', 'DELIVERED (24 H)', 'FAILED (24 H)']
    context.print(textTable([...head, 'OLDEST PENDING'], rows))
  },
})

const stateText = (enabled: boolean, reason: string | null): string =>
  enabled ? 'enabled' : reason === 'FAILURES' ? 'disabled (failing)' : 'disabled'

/** `muster webhooks remove` */
export const webhooksRemove = defineCommand({
  name: 'webhooks remove',
  summary: 'Remove an endpoint, its pending events and its log',
  needsStore: true,
  json: true,
  positionals: [webhookIdArgument],
  options: { org: webhookOrg },
  details: 'Example:\n  muster webhooks remove 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const { url } = await withWebhooks(context, options.org, ({ org, actor, ...parts }) =>
      removeWebhook(parts, org, id, actor),
    )
    if (context.json) context.printJson({ id, url })
    else context.print(`Removed ${url}.`)
  },
})

/** `muster webhooks rotate` */
export const webhooksRotate = defineCommand({
  name: 'webhooks rotate',
  summary: 'Rotate the secret of an endpoint; the old one stays valid for 24 hours',
  needsStore: true,
  json: true,
  positionals: [webhookIdArgument],
  options: { org: webhookOrg },
  details: 'Example:\n  muster webhooks rotate 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --json',
  async run(context, { options, words: [id = ''] }) {
    const { secret, webhook } = await withWebhooks(context, options.org, ({ org, actor, ...parts }) =>
      rotateWebhook(parts, org, id, actor),
    )
    showSecret(context, id, secret)
    if (!context.json && webhook.previousSecretUntil !== null)
      context.note(`\nThe previous secret stays valid until ${momentText(webhook.previousSecretUntil)}.`)
  },
})

const setEnabledCommand = (name: 'enable' | 'disable', enabled: boolean, summary: string, done: string) =>
  defineCommand({
    name: `webhooks ${name}`,
    summary,
    needsStore: true,
    json: true,
    positionals: [webhookIdArgument],
    options: { org: webhookOrg },
    details: `Example:\n  muster webhooks ${name} 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90`,
    async run(context, { options, words: [id = ''] }) {
      const { url } = await withWebhooks(context, options.org, ({ org, actor, ...parts }) =>
        changeWebhook(parts, org, id, { enabled }, actor),
      )
      if (context.json) context.printJson({ id, enabled })
      else context.print(`${url} ${done}`)
    },
  })

/** `muster webhooks enable` */
export const webhooksEnable = setEnabledCommand(
  'enable',
  true,
  'Enable an endpoint and send its pending events',
  'is enabled. Pending events are sent now.',
)

/** `muster webhooks disable` */
export const webhooksDisable = setEnabledCommand(
  'disable',
  false,
  'Disable an endpoint and keep its pending events',
  'is disabled. Events that occur while it is disabled are not sent later.',
)
