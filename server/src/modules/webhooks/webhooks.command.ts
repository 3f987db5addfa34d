import { webhookName } from '@muster/contract/console/console-webhooks'
import { eventCategories } from '@muster/contract/event-envelope'
import { eventObjects } from '@muster/contract/event-objects'
import { type CommandContext, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { readTextFile } from '../../kernel/cli/read-json.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { nearest } from '../../kernel/lib/nearest.ts'
import type { StaticHeader } from './delivery/target.rules.ts'
import { addWebhook, changeWebhook, removeWebhook, rotateWebhook } from './manage-webhooks.ts'
import { webhookOrg, webhookWord, withWebhooks } from './webhook-command-context.ts'
import { webhookView } from './webhook-view.ts'
import { listWebhookRows } from './webhooks.service.ts'

/** `muster webhooks add` */
export const webhooksAdd = defineCommand({
  name: 'webhooks add',
  summary: 'Send events to an endpoint, and show its secret once',
  json: true,
  settings: ['webhooksAllowPrivate', 'webhooksCa'],
  options: {
    url: { type: 'text', required: true, help: 'where events are sent, by https', placeholder: 'URL' },
    name: { type: 'text', schema: webhookName, help: 'what people call it', placeholder: 'NAME' },
    categories: {
      type: 'list',
      help: `categories of events, separated by commas: ${eventCategories.join(', ')}`,
      placeholder: 'A,B',
    },
    objects: {
      type: 'list',
      help: 'further objects of events, separated by commas, such as LOGIN',
      placeholder: 'X,Y',
    },
    header: {
      type: 'list',
      help: 'a header that every request has, if others on this machine may read it; may be repeated',
      placeholder: 'NAME:VALUE',
    },
    headerFile: {
      type: 'text',
      help: 'a file of such headers, one a line, or - for standard input',
      placeholder: 'FILE',
    },
    org: webhookOrg,
  },
  details: `Without --categories and --objects the endpoint is sent everything. What stands behind --header is seen in the
list of processes and in the history of the shell: give tokens by --header-file.

Examples:
  muster webhooks add --url https://siem.example.com/muster
  muster webhooks add --url https://siem.example.com/muster --categories DETECTION,CONTROL --objects LOGIN
  muster webhooks add --url https://siem.example.com/muster --header-file headers.txt --json
  echo "Authorization: Splunk $TOKEN" | muster webhooks add --url https://siem.example.com/muster --header-file -`,
  async run(context, { options }) {
    const plan = {
      url: options.url,
      name: options.name,
      categories: chosen('--categories', options.categories, eventCategories),
      objects: chosen('--objects', options.objects, eventObjects),
      headers: [
        ...options.header.map((text) => headerOf('--header', text)),
        ...(await headersIn(context, options.headerFile)),
      ],
    }
    const { webhook, secret } = await withWebhooks(context, options.org, ({ org, actor, ...parts }) =>
      addWebhook(parts, org, plan, actor),
    )
    showSecret(context, webhook.id, secret)
    if (!context.json) context.note(`\nmuster webhooks test ${webhook.id} sends it a test event.`)
  },
})

/** The words of a list that are separated by commas. @throws UsageError for one that is not among the known */
export function chosen<Word extends string>(
  option: string,
  texts: readonly string[],
  known: readonly Word[],
): Word[] {
  const words = texts.flatMap((text) => text.split(',').map((word) => word.trim().toUpperCase()))
  return [...new Set(words.filter((word) => word !== ''))].map((word) => {
    const found = known.find((one) => one === word)
    if (found) return found
    const near = nearest(word, known)
    const right = near ? `Did you mean ${near}?` : `It must be among ${known.join(', ')}.`
    throw new UsageError(`${option} has ${JSON.stringify(word)}, which there is not. ${right}`)
  })
}

/** @param given what the text is of */
function headerOf(given: string, text: string): StaticHeader {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`${given} must be a name, a colon and a value, such as "Authorization: Bearer x".`)
  return [name, value]
}

/** The headers of a file, one a line; empty lines are left out. */
async function headersIn(context: CommandContext, path: string | undefined): Promise<StaticHeader[]> {
  if (path === undefined) return []
  const lines = (await readTextFile(context, path)).split(/\r?\n/).map((line) => line.trim())
  return lines.flatMap((line, at) => (line === '' ? [] : [headerOf(`--header-file: line ${at + 1}`, line)]))
}

function showSecret(context: CommandContext, id: string, secret: string): void {
  if (context.json) {
    context.printJson({ id, secret })
    return
  }
  context.note(`The secret of the endpoint ${id}, by which it verifies events. It is shown this once:\n`)
  context.print(secret)
}

/** `muster webhooks list` */
export const webhooksList = defineCommand({
  name: 'webhooks list',
  summary: 'List the endpoints that events are sent to, and how they are doing',
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
    if (shown.length === 0) return context.note('There are none. muster webhooks add adds one.')
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
    const head = ['ID', 'NAME', 'URL', 'EVENTS', 'STATE', 'WAITING', 'DELIVERED (24 H)', 'FAILED (24 H)']
    context.print(textTable([...head, 'OLDEST WAITING'], rows))
  },
})

const stateText = (enabled: boolean, reason: string | null): string =>
  enabled ? 'on' : reason === 'FAILURES' ? 'off: it failed' : 'off'

/** `muster webhooks remove` */
export const webhooksRemove = defineCommand({
  name: 'webhooks remove',
  summary: 'Remove an endpoint, with what waits for it and its log',
  needsStore: true,
  json: true,
  positionals: [webhookWord],
  options: { org: webhookOrg },
  details: 'Example:\n  muster webhooks remove 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const { url } = await withWebhooks(context, options.org, ({ org, actor, ...parts }) =>
      removeWebhook(parts, org, id, actor),
    )
    if (context.json) context.printJson({ id, url })
    else context.print(`${url} was removed; nothing is sent there any more.`)
  },
})

/** `muster webhooks rotate` */
export const webhooksRotate = defineCommand({
  name: 'webhooks rotate',
  summary: 'Give an endpoint a new secret; events are signed with both for 24 hours',
  needsStore: true,
  json: true,
  positionals: [webhookWord],
  options: { org: webhookOrg },
  details: 'Example:\n  muster webhooks rotate 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --json',
  async run(context, { options, words: [id = ''] }) {
    const { secret, webhook } = await withWebhooks(context, options.org, ({ org, actor, ...parts }) =>
      rotateWebhook(parts, org, id, actor),
    )
    showSecret(context, id, secret)
    if (!context.json && webhook.previousSecretUntil !== null)
      context.note(
        `\nEvents are signed with the old one, too, until ${momentText(webhook.previousSecretUntil)}.`,
      )
  },
})

const switching = (name: 'enable' | 'disable', enabled: boolean, summary: string, done: string) =>
  defineCommand({
    name: `webhooks ${name}`,
    summary,
    needsStore: true,
    json: true,
    positionals: [webhookWord],
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
export const webhooksEnable = switching(
  'enable',
  true,
  'Switch an endpoint on again; what waited for it is sent',
  'is on; what waited for it is sent.',
)

/** `muster webhooks disable` */
export const webhooksDisable = switching(
  'disable',
  false,
  'Switch an endpoint off; what waits for it goes on waiting',
  'is off; events that happen until it is on again are not kept for it.',
)
