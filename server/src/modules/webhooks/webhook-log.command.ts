import { deliveryStates } from '@muster/contract/console/console-webhooks'
import { eventObjects } from '@muster/contract/event-objects'
import { CommandFailure, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { momentText, parsePastMoment } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { senderOptions } from './delivery/start-deliverer.ts'
import { webhookSender } from './delivery/webhook-sender.ts'
import { sendAgain, testWebhook } from './manage-webhooks.ts'
import { listAttempts } from './webhook-attempts.store.ts'
import { type WebhookWork, webhookOrg, webhookWord, withWebhooks } from './webhook-command-context.ts'
import { readEventBodies } from './webhook-deliveries.store.ts'
import {
  type DeliveryRow,
  findEventObjects,
  type LogFilter,
  listDeliveryRows,
} from './webhook-log.service.ts'
import { attemptView, deliveryView } from './webhook-view.ts'
import { chosen } from './webhooks.command.ts'
import { findWebhook, listWebhookRows, type WebhookRow, wishedObjects } from './webhooks.service.ts'

const noEndpoint = (id: string) =>
  new CommandFailure(
    `There is no endpoint with the id ${JSON.stringify(id)}. muster webhooks list shows them.`,
  )

/** `muster webhooks test` */
export const webhooksTest = defineCommand({
  name: 'webhooks test',
  summary: 'Send a made-up event to an endpoint at once, and say what it answered',
  needsStore: true,
  json: true,
  settings: ['webhooksAllowPrivate', 'webhooksCa'],
  positionals: [webhookWord],
  options: {
    object: {
      type: 'text',
      help: 'what the event is about; the first object that the endpoint is sent if left out',
      placeholder: 'OBJECT',
    },
    org: webhookOrg,
  },
  details: 'Example:\n  muster webhooks test 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --object LOGIN',
  async run(context, { options, words: [id = ''] }) {
    const object =
      options.object === undefined ? undefined : chosen('--object', [options.object], eventObjects)[0]
    const sender = webhookSender(senderOptions(context.config()))
    try {
      const attempt = await withWebhooks(context, options.org, ({ org, actor: _actor, ...parts }) =>
        testWebhook(parts, sender, org, id, object),
      )
      const { eventId, error, status, latencyMs } = attempt
      const delivered = error === null
      if (context.json) context.printJson({ eventId, delivered, ...attemptView(attempt) })
      else if (delivered) context.print(`Acknowledged with ${status} in ${latencyMs} ms (event ${eventId}).`)
      else context.print(`Not acknowledged: ${error} (event ${eventId}, ${latencyMs} ms).`)
      return delivered ? 0 : 1
    } finally {
      sender.close()
    }
  },
})

/** `muster webhooks log` */
export const webhooksLog = defineCommand({
  name: 'webhooks log',
  summary: 'Show what became of events for an endpoint, newest first; of one, its request and the answers',
  needsStore: true,
  json: true,
  positionals: [webhookWord],
  options: {
    event: { type: 'text', help: 'only this event, with request and answers', placeholder: 'ID' },
    state: { type: 'text', choices: ['pending', 'delivered', 'failed'], help: 'only what is in this state' },
    object: { type: 'text', help: 'only events about this', placeholder: 'OBJECT' },
    since: { type: 'text', help: 'only events from a date, or a time ago, on', placeholder: 'DATE' },
    until: { type: 'text', help: 'only events before a date, or a time ago', placeholder: 'DATE' },
    limit: {
      type: 'number',
      minimum: 1,
      maximum: 10_000,
      fallback: '50',
      help: 'how many at most',
      placeholder: 'N',
    },
    org: webhookOrg,
  },
  details: `Examples:
  muster webhooks log 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --state failed --since 2h
  muster webhooks log 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --event 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91 --json`,
  run: (context, { options, words: [id = ''] }) =>
    withWebhooks(context, options.org, async (work) => {
      const { db, org } = work
      const webhook = await findWebhook(db, org, id)
      if (!webhook) throw noEndpoint(id)
      if (options.event !== undefined) {
        const whole = await wholeDelivery(work, webhook, options.event)
        if (context.json) return context.printJson(whole)
        context.print(`${whole.body}\n`)
        return context.print(textTable(attemptHead, whole.history.map(attemptCells)))
      }
      const filter = {
        state: deliveryStates.find((state) => state.toLowerCase() === options.state),
        object:
          options.object === undefined ? undefined : chosen('--object', [options.object], eventObjects)[0],
        sinceMs: pastMs('--since', options.since),
        untilMs: pastMs('--until', options.until),
      }
      const shown = (await firstDeliveries(work, id, filter, options.limit)).map(deliveryView)
      if (context.json) return context.printJson(shown)
      if (shown.length === 0) return context.note('There is nothing of that in the log.')
      const head = ['EVENT', 'TIME', 'OBJECT', 'STATE', 'ATTEMPTS', 'NEXT', 'LAST ANSWER']
      context.print(
        textTable(
          head,
          shown.map((one) => [
            ...[one.eventId, momentText(one.timestamp), one.test ? `${one.object} (test)` : one.object],
            ...[one.state.toLowerCase(), String(one.attempts), momentText(one.dueTimestamp)],
            one.lastError ?? String(one.lastStatus ?? '-'),
          ]),
        ),
      )
    }),
})

/** The newest deliveries that fit, page after page: one of a rare object can be short. */
async function firstDeliveries(
  { db, org }: WebhookWork,
  webhookId: string,
  filter: LogFilter,
  limit: number,
): Promise<DeliveryRow[]> {
  const found: DeliveryRow[] = []
  for (let before: string | undefined; ; ) {
    const place = { org, webhookId }
    const { rows, next } = await listDeliveryRows(db, place, { ...filter, before }, limit - found.length)
    found.push(...rows)
    if (next === null || found.length >= limit) return found
    before = next
  }
}

const attemptHead = ['ATTEMPT', 'TIME', 'STATUS', 'MS', 'ERROR', 'ANSWER']
type Whole = Awaited<ReturnType<typeof wholeDelivery>>
const attemptCells = (attempt: Whole['history'][number]): string[] => [
  ...[String(attempt.attempt), momentText(attempt.timestamp), String(attempt.status ?? '-')],
  ...[String(attempt.latencyMs), attempt.error ?? '-', JSON.stringify(attempt.answer.slice(0, 200))],
]

async function wholeDelivery({ db, org }: WebhookWork, webhook: WebhookRow, eventId: string) {
  const place = { org, webhookId: webhook.id }
  const [row] = (await listDeliveryRows(db, place, { eventId }, 1)).rows
  if (!row) throw new CommandFailure(`The log of ${webhook.url} has no event ${JSON.stringify(eventId)}.`)
  const body = (await readEventBodies(db, org, [eventId])).get(eventId) ?? ''
  return { ...deliveryView(row), body, history: (await listAttempts(db, place, eventId)).map(attemptView) }
}

/** `muster webhooks replay` */
export const webhooksReplay = defineCommand({
  name: 'webhooks replay',
  summary: 'Send events again, by their ids or of a time, to the endpoints that want them',
  needsStore: true,
  json: true,
  positionals: [{ name: 'EVENT', help: 'the ids of events, as muster webhooks log shows them', many: true }],
  options: {
    webhook: {
      type: 'text',
      help: 'only to this endpoint; to all that are on if left out',
      placeholder: 'ID',
    },
    since: { type: 'text', help: 'events from a date, or a time ago such as 2h, on', placeholder: 'DATE' },
    until: {
      type: 'text',
      help: 'events before a date, or a time ago; until now if left out',
      placeholder: 'DATE',
    },
    failed: { type: 'flag', help: 'of a time, only those that were not acknowledged' },
    org: webhookOrg,
  },
  details: `Events are kept for 30 days. Each is sent with the same id and the same body as before.

Examples:
  muster webhooks replay 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91
  muster webhooks replay --since 2026-11-21T08:00:00Z --until 2026-11-21T09:00:00Z
  muster webhooks replay --since 6h --failed --webhook 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90`,
  run: (context, { options, words }) => {
    if (words.length > 0 === (options.since !== undefined))
      throw new UsageError('Give the ids of events, or --since with or without --until; not both.')
    if (words.length > 0 && (options.until !== undefined || options.failed))
      throw new UsageError('--until and --failed go with --since, not with the ids of events.')
    return withWebhooks(context, options.org, async ({ org, actor: _actor, ...parts }) => {
      const { db, clock } = parts
      const targets = await replayTargets(parts, org, options.webhook)
      const objects = await objectsOf(parts, org, words)
      const sinceMs = pastMs('--since', options.since) ?? 0
      const untilMs = pastMs('--until', options.until) ?? clock.nowMs() + 1
      const done: { id: string; events: number }[] = []
      for (const webhook of targets) {
        const wished = new Set<string>(wishedObjects(webhook))
        const eventIds = words.filter(
          (id) => options.webhook !== undefined || wished.has(objects.get(id) ?? ''),
        )
        const what = words.length > 0 ? { eventIds } : { sinceMs, untilMs, onlyFailed: options.failed }
        done.push({ id: webhook.id, events: await sendAgain({ ...parts, db }, org, webhook.id, what) })
      }
      if (context.json) return context.printJson({ webhooks: done })
      if (done.length === 0) return context.note('There is no endpoint that is on.')
      for (const { id, events } of done) context.print(`${id}: ${events} to be sent again`)
    })
  },
})

async function replayTargets(
  { db }: Pick<WebhookWork, 'db'>,
  org: number,
  id: string | undefined,
): Promise<WebhookRow[]> {
  if (id === undefined) return (await listWebhookRows(db, org)).filter(({ enabled }) => enabled)
  const webhook = await findWebhook(db, org, id)
  if (!webhook) throw noEndpoint(id)
  return [webhook]
}

/** What events are about. @throws CommandFailure for one that is not kept */
async function objectsOf({ db }: Pick<WebhookWork, 'db'>, org: number, ids: readonly string[]) {
  const objects = await findEventObjects(db, org, ids)
  const unknown = ids.find((id) => !objects.has(id))
  if (unknown === undefined) return objects
  throw new CommandFailure(
    `There is no event with the id ${JSON.stringify(unknown)}. Events are kept for 30 days, and only those that an endpoint wanted; muster webhooks log shows them.`,
  )
}

/** A moment that has passed: a date, or how long ago. Milliseconds. */
const pastMs = (option: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parsePastMoment(option, text, unixSeconds(systemClock)) * 1000
