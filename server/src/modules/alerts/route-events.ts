import { eachOrThrow } from '../../kernel/lib/all-settled.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { type AlertEvent, type ContextOf, parseEvent } from './alert-facts.rules.ts'
import { groupOf } from './alert-groups.ts'
import {
  type AlertItem,
  collectedEventIds,
  insertItems,
  organizationsToRoute,
  putReportedGroups,
  readEvents,
  removeCollected,
  reportedGroups,
  waitingGroups,
} from './alert-items.store.ts'
import { type AlertRuleRow, listAlertRules } from './alert-rules.service.ts'
import { nextMessageMs } from './alert-schedule.rules.ts'
import { severityRank } from './compose-message.rules.ts'
import { eventContexts } from './event-contexts.ts'
import { matchesRule } from './match-event.rules.ts'

/** Time after which an event is routed: jobs have computed priorities by then, and a burst becomes one message. */
const settleMs = 3000
/** Time after which a finding is routed even if its priority is not known, for example because it was removed. */
const undecidedMs = 60_000
const eventsPerTransaction = 200

/** Returns the time zone of an organization. */
export type TimeZoneOf = (org: number) => string

/** Prevents two processes from routing the events of an organization at the same time. */
export const alertsLock = (org: number): string => `alerts ${org}`

/**
 * Assigns collected events to the rules they match. An event leaves the router in the transaction that makes it wait for a
 * message, so none is lost or counted twice.
 */
export async function routeEvents(
  db: Db,
  nowMs: number,
  timeZoneOf: TimeZoneOf,
  signal?: AbortSignal,
): Promise<void> {
  await eachOrThrow(await organizationsToRoute(db, nowMs - settleMs), async (org) => {
    while (await db.inTransaction((tx) => routeSome(tx, org, nowMs, timeZoneOf(org))))
      signal?.throwIfAborted()
  })
}

/** @returns true if there may be more. Undecided events stay and do not count. */
async function routeSome(tx: Tx, org: number, nowMs: number, timeZone: string): Promise<boolean> {
  await tx.lock(alertsLock(org))
  const ids = await collectedEventIds(tx, org, nowMs - settleMs, eventsPerTransaction)
  if (ids.length === 0) return false
  const events = (await readEvents(tx, org, ids)).map(({ body }) => parseEvent(body))
  const { contextOf, isUndecided } = await eventContexts(tx, org, events)
  const waiting = new Set(
    events
      .filter((event) => isUndecided(event) && nowMs - event.timestamp * 1000 < undecidedMs)
      .map(({ id }) => id),
  )
  const decided = events.filter(({ id }) => !waiting.has(id))
  const rules = (await listAlertRules(tx, org)).filter(({ endpoint }) => endpoint.enabled)
  for (const rule of rules) {
    const matching = decided.filter((event) => matchesRule(rule.definition, event, contextOf(event)))
    const dueMs = nextMessageMs(rule.definition, timeZone, nowMs)
    await insertItems(tx, org, await itemsOf(tx, rule, { events: matching, contextOf, dueMs }))
  }
  await removeCollected(
    tx,
    org,
    ids.filter((id) => !waiting.has(id)),
  )
  return ids.length === eventsPerTransaction && decided.length > 0
}

/**
 * Returns the items of events. A rule that sends at once reports an incident once: its later detections only extend the time
 * in which they belong to it.
 */
async function itemsOf(
  tx: Tx,
  { endpoint, definition }: AlertRuleRow,
  {
    events,
    contextOf,
    dueMs,
  }: { readonly events: readonly AlertEvent[]; readonly contextOf: ContextOf; readonly dueMs: number },
): Promise<AlertItem[]> {
  if (events.length === 0) return []
  const { org, id: ruleId } = endpoint
  const grouped = events.map((event) => ({ event, ...groupOf(event) }))
  const isAtOnce = definition.schedule === 'IMMEDIATE'
  const keys = [...new Set(grouped.flatMap((one) => (one.reportedOnceFor === undefined ? [] : [one.key])))]
  const reported = isAtOnce && keys.length > 0 ? await reportedGroups(tx, org, ruleId, keys) : undefined
  const waiting = reported ? await waitingGroups(tx, org, ruleId, keys) : new Set<string>()
  const changed = new Map<string, number>()
  const items: AlertItem[] = []
  for (const { event, key, reportedOnceFor } of grouped) {
    const severity = severityRank(event, contextOf(event))
    const item: AlertItem = { ruleId, source: 'EVENT', sourceId: event.id, groupKey: key, severity, dueMs }
    if (reported && reportedOnceFor !== undefined) {
      const last = reported.get(key)
      const isKnown = last !== undefined && event.timestamp - last < reportedOnceFor
      const latest = Math.max(last ?? 0, event.timestamp)
      reported.set(key, latest)
      changed.set(key, latest)
      // Still counted if the message is not written yet.
      if (isKnown && !waiting.has(key)) continue
      waiting.add(key)
    }
    items.push(item)
  }
  await putReportedGroups(tx, org, ruleId, changed)
  return items
}
