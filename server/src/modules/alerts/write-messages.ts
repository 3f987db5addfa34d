import type { AlertLine, AlertMessage } from '@muster/contract/console/alerts/alert-message'
import { newEventId } from '../../kernel/events/outbox.ts'
import { eachOrThrow } from '../../kernel/lib/all-settled.ts'
import { organizationOf } from '../../kernel/organizations/organizations.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { queueNotices } from '../notices/notices.service.ts'
import { type AlertEvent, parseEvent } from './alert-facts.rules.ts'
import {
  type AlertItem,
  type DueGroup,
  dueGroups,
  dueItems,
  dueRules,
  forgetDueGroups,
  readEvents,
  removeDueItems,
} from './alert-items.store.ts'
import { type AlertNoticeFacts, noticeSubject } from './alert-notices.service.ts'
import { type AlertRuleRow, findAlertRule } from './alert-rules.service.ts'
import { composeMessage, lineOf, type MessageHead } from './compose-message.rules.ts'
import { eventContexts } from './event-contexts.ts'
import { alertsLock } from './route-events.ts'
import { silentBrowserEvents } from './silent-agents.ts'

/** Time between two messages of a rule that sends at once. What happens meanwhile is collected. */
const restMs = 60_000
/** Groups that are reported one by one. More become one message. */
const separateMaximum = 5
/** Groups that are read for a message, the most severe first. More are only counted. */
const groupsMaximum = 100
/** Events that are read for a message: few enough that the event loop is not held up. */
const eventsMaximum = 2000

/** Object and category of messages in the table of events. No endpoint subscribes to them. */
export const alertObject = 'ALERT'

/**
 * Writes the messages of all rules that are due. An event leaves the waiting list in the transaction that writes its message,
 * so a crash neither loses nor repeats it.
 */
export async function writeMessages(
  db: Db,
  nowMs: number,
  publicUrl: string,
  signal?: AbortSignal,
): Promise<void> {
  await eachOrThrow(await dueRules(db, nowMs), async ({ org, ruleId }) => {
    signal?.throwIfAborted()
    if (isResting(await findAlertRule(db, Number(org), ruleId), nowMs)) return
    await db.inTransaction((tx) => writeOf(tx, Number(org), ruleId, nowMs, publicUrl))
  })
}

/** A later end of the rest was written by a process with a wrong clock. */
const isResting = (rule: AlertRuleRow | undefined, nowMs: number): boolean =>
  rule !== undefined && rule.restsUntilMs > nowMs && rule.restsUntilMs <= nowMs + restMs

async function writeOf(tx: Tx, org: number, ruleId: string, nowMs: number, publicUrl: string): Promise<void> {
  await tx.lock(alertsLock(org))
  const rule = await findAlertRule(tx, org, ruleId)
  // Another process may have written a message meanwhile.
  if (isResting(rule, nowMs)) return
  if (!rule?.endpoint.enabled) {
    await forgetDueGroups(tx, org, ruleId, nowMs)
    await removeDueItems(tx, org, ruleId, nowMs)
    return
  }
  const groups = await dueGroups(tx, org, ruleId, nowMs)
  const organization = await organizationOf(tx, org)
  const lines = await linesOf(tx, rule, groups, { nowMs, publicUrl })
  await removeDueItems(tx, org, ruleId, nowMs)
  if (!organization || lines.length === 0) return
  const isAtOnce = rule.definition.schedule === 'IMMEDIATE'
  const isSeparate = isAtOnce && groups.length <= separateMaximum
  const messages = isSeparate ? lines.map((line) => [line]) : [lines]
  const moreLines = Math.max(0, groups.length - groupsMaximum)
  for (const own of messages) {
    const head: MessageHead = {
      publicUrl,
      id: newEventId(tx, nowMs),
      timestamp: Math.floor(nowMs / 1000),
      test: false,
      digest: !isAtOnce,
      organization: { id: organization.id, name: organization.name },
      rule: { id: ruleId, name: rule.endpoint.name ?? '' },
    }
    await queueMessage(tx, rule, composeMessage(head, own, moreLines), nowMs)
  }
  if (isAtOnce)
    await tx.run('UPDATE alert_rules SET rests_until_ms = ? WHERE org = ? AND id = ?', [
      nowMs + restMs,
      org,
      ruleId,
    ])
}

/** Returns the lines of the first groups. */
async function linesOf(
  tx: Tx,
  { endpoint: { org, id: ruleId }, definition: { silentDays } }: AlertRuleRow,
  groups: readonly DueGroup[],
  { nowMs, publicUrl }: { readonly nowMs: number; readonly publicUrl: string },
): Promise<AlertLine[]> {
  const lines: AlertLine[] = []
  const read = groups.slice(0, groupsMaximum)
  for (const { groupKey, items } of read) {
    const limit = Math.floor(eventsMaximum / read.length)
    const some = await dueItems(tx, { org, ruleId, groupKey }, nowMs, limit)
    const atTime = { silentDays, nowSeconds: Math.floor(nowMs / 1000) }
    const [first, ...others] = await eventsOf(tx, org, some, atTime)
    // All of them may have been erased, or the browsers are back.
    if (!first) continue
    const { contextOf } = await eventContexts(tx, org, [first, ...others])
    lines.push(lineOf(publicUrl, [first, ...others], contextOf, items - some.length))
  }
  return lines
}

/** Reads the events and silent browsers of items, without those that were erased or are back. */
async function eventsOf(
  tx: Tx,
  org: number,
  items: readonly Pick<AlertItem, 'source' | 'sourceId'>[],
  atTime: Parameters<typeof silentBrowserEvents>[3],
): Promise<AlertEvent[]> {
  const idsOf = (source: AlertItem['source']) =>
    items.filter((item) => item.source === source).map(({ sourceId }) => sourceId)
  const stored = (await readEvents(tx, org, idsOf('EVENT'))).map(({ body }) => parseEvent(body))
  return [...stored, ...(await silentBrowserEvents(tx, org, idsOf('BROWSER'), atTime))]
}

/** Stores a message with its deliveries: e-mails are notices, all others are deliveries of the rule's endpoint. */
export async function queueMessage(
  tx: Tx,
  { endpoint, definition }: AlertRuleRow,
  message: AlertMessage,
  nowMs: number,
): Promise<void> {
  const { org, id: ruleId } = endpoint
  const { id, timestamp, rule } = message
  await tx.insert(
    'events',
    ['org', 'id', 'timestamp', 'object', 'category', 'body'],
    [[org, id, timestamp, alertObject, alertObject, JSON.stringify(message)]],
  )
  if (definition.destination === 'EMAIL') {
    const facts: AlertNoticeFacts = { messageId: id, rule: rule.name }
    const subject = noticeSubject(ruleId, id)
    const notices = definition.addresses.map((address) => ({
      org,
      kind: 'ALERT' as const,
      subject,
      address,
      facts,
    }))
    await queueNotices(tx, notices, nowMs)
    return
  }
  await tx.insert(
    'webhook_deliveries',
    ['org', 'webhook_id', 'event_id', 'state', 'attempts', 'due_ms'],
    [[org, ruleId, id, 'PENDING', 0, nowMs]],
  )
}
