import { deliveryStates } from '@muster/contract/console/console-webhooks'
import { eventObjects } from '@muster/contract/events/event-objects'
import { CommandFailure, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { momentText, parsePastMoment } from '../../kernel/cli/moments.ts'
import { parseWords } from '../../kernel/cli/parse-words.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { senderOptions, webhookSender } from './delivery/webhook-sender.ts'
import { resendEvents, testWebhook } from './manage-webhooks.ts'
import { listAttempts } from './webhook-attempts.store.ts'
import {
  type WebhookCommandContext,
  webhookIdArgument,
  webhookOrg,
  withWebhooks,
} from './webhook-command-context.ts'
import { readEventBodies } from './webhook-deliveries.store.ts'
import {
  type DeliveryRow,
  findEventObjects,
  type LogFilter,
  listDeliveryRows,
} from './webhook-log.service.ts'
import { attemptView, deliveryView } from './webhook-view.ts'
import { findWebhook, listWebhookRows, subscribedObjects, type WebhookRow } from './webhooks.service.ts'

const endpointNotFound = (id: string) =>
  new CommandFailure(
    `There is no endpoint with the ID ${JSON.stringify(id)}. Run muster webhooks list to see all endpoints.`,
  )

/** `muster webhooks test` */
export const webhooksTest = defineCommand({
  name: 'webhooks test',
  summary: 'Send a test event to an endpoint and show the response',
  needsStore: true,
  json: true,
  settings: ['webhooksAllowPrivate', 'webhooksCa'],
  positionals: [webhookIdArgument],
  options: {
    object: {
      type: 'text',
      help: 'object of the event (default: the first that the endpoint is subscribed to)',
      placeholder: 'OBJECT',
    },
    org: webhookOrg,
  },
  details: 'Example:\n  muster webhooks test 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --object LOGIN',
  async run(context, { options, words: [id = ''] }) {
    const object =
      options.object === undefined ? undefined : parseWords('--object', [options.object], eventObjects)[0]
    const sender = webhookSender(senderOptions(context.config()))
    try {
      const attempt = await withWebhooks(context, options.org, ({ org, actor: _actor, ...webhooks }) =>
        testWebhook(webhooks, sender, org, id, object),
      )
      const { eventId, error, status, latencyMs } = attempt
      const delivered = error === null
      if (context.json) context.printJson({ eventId, delivered, ...attemptView(attempt) })
      else if (delivered)
        context.print(`Delivered: HTTP status ${status} in ${latencyMs} ms (event ${eventId}).`)
      else context.print(`Not delivered: ${error} (event ${eventId}, ${latencyMs} ms).`)
      return delivered ? 0 : 1
    } finally {
      sender.close()
    }
  },
})

/** `muster webhooks log` */
export const webhooksLog = defineCommand({
  name: 'webhooks log',
  summary: 'Show the delivery log of an endpoint, or one event with its attempts',
  needsStore: true,
  json: true,
  positionals: [webhookIdArgument],
  options: {
    event: { type: 'text', help: 'show this event with its body and attempts', placeholder: 'ID' },
    state: {
      type: 'text',
      choices: ['pending', 'delivered', 'failed'],
      help: 'only deliveries in this state',
    },
    object: { type: 'text', help: 'only events about this object', placeholder: 'OBJECT' },
    since: { type: 'text', help: 'only events since a date or duration, such as 2h', placeholder: 'DATE' },
    until: { type: 'text', help: 'only events before a date or duration', placeholder: 'DATE' },
    limit: {
      type: 'number',
      minimum: 1,
      maximum: 10_000,
      fallback: '50',
      help: 'maximum number of entries',
      placeholder: 'N',
    },
    org: webhookOrg,
  },
  details: `Examples:
  muster webhooks log 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --state failed --since 2h
  muster webhooks log 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --event 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91 --json`,
  run: (context, { options, words: [id = ''] }) =>
    withWebhooks(context, options.org, async (webhooks) => {
      const { db, org } = webhooks
      const webhook = await findWebhook(db, org, id)
      if (!webhook) throw endpointNotFound(id)
      if (options.event !== undefined) {
        const delivery = await readDelivery(webhooks, webhook, options.event)
        if (context.json) return context.printJson(delivery)
        context.print(`${delivery.body}\n`)
        return context.print(textTable(attemptHead, delivery.history.map(attemptCells)))
      }
      const filter = {
        state: deliveryStates.find((state) => state.toLowerCase() === options.state),
        object:
          options.object === undefined
            ? undefined
            : parseWords('--object', [options.object], eventObjects)[0],
        sinceMs: pastMs('--since', options.since),
        untilMs: pastMs('--until', options.until),
      }
      const shown = (await listNewest(webhooks, id, filter, options.limit)).map(deliveryView)
      if (context.json) return context.printJson(shown)
      if (shown.length === 0) return context.note('No log entries found.')
      const head = ['EVENT', 'TIME', 'OBJECT', 'STATE', 'ATTEMPTS', 'NEXT', 'LAST RESULT']
      context.print(
        textTable(
          head,
          shown.map((delivery) => [
            delivery.eventId,
            momentText(delivery.timestamp),
            delivery.test ? `${delivery.object} (test)` : delivery.object,
            delivery.state.toLowerCase(),
            String(delivery.attempts),
            momentText(delivery.dueTimestamp),
            delivery.lastError ?? String(delivery.lastStatus ?? '-'),
          ]),
        ),
      )
    }),
})

/** Lists the newest matching deliveries. Reads further pages until the limit is reached, since a page can be short. */
async function listNewest(
  { db, org }: WebhookCommandContext,
  webhookId: string,
  filter: LogFilter,
  limit: number,
): Promise<DeliveryRow[]> {
  const found: DeliveryRow[] = []
  for (let before: string | undefined; ; ) {
    const endpoint = { org, webhookId }
    const { rows, next } = await listDeliveryRows(db, endpoint, { ...filter, before }, limit - found.length)
    found.push(...rows)
    if (next === null || found.length >= limit) return found
    before = next
  }
}

const attemptHead = ['ATTEMPT', 'TIME', 'STATUS', 'MS', 'ERROR', 'RESPONSE']
type Delivery = Awaited<ReturnType<typeof readDelivery>>
const attemptCells = (attempt: Delivery['history'][number]): string[] => [
  String(attempt.attempt),
  momentText(attempt.timestamp),
  String(attempt.status ?? '-'),
  String(attempt.latencyMs),
  attempt.error ?? '-',
  JSON.stringify(attempt.answer.slice(0, 200)),
]

async function readDelivery({ db, org }: WebhookCommandContext, webhook: WebhookRow, eventId: string) {
  const endpoint = { org, webhookId: webhook.id }
  const [row] = (await listDeliveryRows(db, endpoint, { eventId }, 1)).rows
  if (!row) throw new CommandFailure(`The log of ${webhook.url} has no event ${JSON.stringify(eventId)}.`)
  const body = (await readEventBodies(db, org, [eventId])).get(eventId) ?? ''
  return { ...deliveryView(row), body, history: (await listAttempts(db, endpoint, eventId)).map(attemptView) }
}

/** `muster webhooks replay` */
export const webhooksReplay = defineCommand({
  name: 'webhooks replay',
  summary: 'Send events again, by ID or time range, to subscribed endpoints',
  needsStore: true,
  json: true,
  positionals: [{ name: 'EVENT', help: 'IDs of events, as shown by muster webhooks log', many: true }],
  options: {
    webhook: {
      type: 'text',
      help: 'only to this endpoint (default: all enabled endpoints)',
      placeholder: 'ID',
    },
    since: { type: 'text', help: 'events since a date or duration, such as 2h', placeholder: 'DATE' },
    until: {
      type: 'text',
      help: 'events before a date or duration (default: now)',
      placeholder: 'DATE',
    },
    failed: { type: 'flag', help: 'with --since: only events that failed' },
    org: webhookOrg,
  },
  details: `Events are kept for 30 days. An event is sent with the same ID and body as before.

Examples:
  muster webhooks replay 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91
  muster webhooks replay --since 2026-11-21T08:00:00Z --until 2026-11-21T09:00:00Z
  muster webhooks replay --since 6h --failed --webhook 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90`,
  run: (context, { options, words }) => {
    if (words.length > 0 === (options.since !== undefined))
      throw new UsageError('Give either event IDs or --since.')
    if (words.length > 0 && (options.until !== undefined || options.failed))
      throw new UsageError('--until and --failed require --since and cannot be used with event IDs.')
    return withWebhooks(context, options.org, async ({ org, actor: _actor, ...webhooks }) => {
      const { clock } = webhooks
      const targets = await replayTargets(webhooks, org, options.webhook)
      const objects = await requireEventObjects(webhooks, org, words)
      const sinceMs = pastMs('--since', options.since) ?? 0
      const untilMs = pastMs('--until', options.until) ?? clock.nowMs() + 1
      const results: { id: string; events: number }[] = []
      for (const webhook of targets) {
        const subscribed = new Set<string>(subscribedObjects(webhook))
        const eventIds = words.filter(
          (id) => options.webhook !== undefined || subscribed.has(objects.get(id) ?? ''),
        )
        const selection = words.length > 0 ? { eventIds } : { sinceMs, untilMs, onlyFailed: options.failed }
        results.push({ id: webhook.id, events: await resendEvents(webhooks, org, webhook.id, selection) })
      }
      if (context.json) return context.printJson({ webhooks: results })
      if (results.length === 0) return context.note('No endpoint is enabled.')
      for (const { id, events } of results) context.print(`${id}: ${events} events queued`)
    })
  },
})

async function replayTargets(
  { db }: Pick<WebhookCommandContext, 'db'>,
  org: number,
  id: string | undefined,
): Promise<WebhookRow[]> {
  if (id === undefined) return (await listWebhookRows(db, org)).filter(({ enabled }) => enabled)
  const webhook = await findWebhook(db, org, id)
  if (!webhook) throw endpointNotFound(id)
  return [webhook]
}

/** Returns the objects of events by ID. @throws CommandFailure if an event does not exist */
async function requireEventObjects(
  { db }: Pick<WebhookCommandContext, 'db'>,
  org: number,
  ids: readonly string[],
) {
  const objects = await findEventObjects(db, org, ids)
  const unknown = ids.find((id) => !objects.has(id))
  if (unknown === undefined) return objects
  throw new CommandFailure(
    `There is no event with the ID ${JSON.stringify(unknown)}. Events are kept for 30 days, and only if an endpoint was subscribed to them. Run muster webhooks log to see them.`,
  )
}

/** Parses a date or a duration before now into milliseconds. */
const pastMs = (option: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parsePastMoment(option, text, unixSeconds(systemClock)) * 1000
