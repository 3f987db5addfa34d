import { runPerRow } from '../../kernel/store/run-per-row.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { routerId } from './alert-rules.service.ts'

/** An event or a silent browser that waits for a message of a rule. */
export interface AlertItem {
  readonly ruleId: string
  readonly source: 'EVENT' | 'BROWSER'
  readonly sourceId: string
  readonly groupKey: string
  /** Position of its severity in the list of severities. */
  readonly severity: number
  readonly dueMs: number
}

/** Adds items; one that waits already stays. */
export async function insertItems(tx: Tx, org: number, items: readonly AlertItem[]): Promise<void> {
  if (items.length === 0) return
  await tx.insert(
    'alert_items',
    ['org', 'rule_id', 'source_id', 'source', 'group_key', 'severity', 'due_ms'],
    items.map(({ ruleId, sourceId, source, groupKey, severity, dueMs }) => [
      org,
      ruleId,
      sourceId,
      source,
      groupKey,
      severity,
      dueMs,
    ]),
    'ON CONFLICT DO NOTHING',
  )
}

/** Items of a rule with the same group. */
export interface DueGroup {
  readonly groupKey: string
  readonly items: number
}

/** Counts the items of a rule that are due, by group; the most severe first, then the largest. */
export async function dueGroups(tx: Reader, org: number, ruleId: string, nowMs: number): Promise<DueGroup[]> {
  const rows = await tx.all<DueGroup>(
    `SELECT group_key AS "groupKey", count(*) AS items FROM alert_items
     WHERE org = ? AND rule_id = ? AND due_ms <= ? GROUP BY group_key ORDER BY max(severity) DESC, items DESC, group_key`,
    [org, ruleId, nowMs],
  )
  return rows.map(({ groupKey, items }) => ({ groupKey, items: Number(items) }))
}

/** Lists some items of a group that are due, oldest first. */
export const dueItems = (
  tx: Reader,
  { org, ruleId, groupKey }: { readonly org: number; readonly ruleId: string; readonly groupKey: string },
  nowMs: number,
  limit: number,
): Promise<Pick<AlertItem, 'source' | 'sourceId'>[]> =>
  tx.all(
    `SELECT source, source_id AS "sourceId" FROM alert_items
     WHERE org = ? AND rule_id = ? AND group_key = ? AND due_ms <= ? ORDER BY source_id LIMIT ?`,
    [org, ruleId, groupKey, nowMs, limit],
  )

/** Removes the items of a rule that are due. */
export const removeDueItems = (tx: Tx, org: number, ruleId: string, nowMs: number): Promise<number> =>
  tx.run('DELETE FROM alert_items WHERE org = ? AND rule_id = ? AND due_ms <= ?', [org, ruleId, nowMs])

/** Moves the items of a rule to another time, after its schedule changed. */
export const rescheduleItems = (tx: Tx, org: number, ruleId: string, dueMs: number): Promise<number> =>
  tx.run('UPDATE alert_items SET due_ms = ? WHERE org = ? AND rule_id = ?', [dueMs, org, ruleId])

/** Lists the rules with items that are due. */
export const dueRules = (reader: Reader, nowMs: number): Promise<{ org: number; ruleId: string }[]> =>
  reader.all(
    'SELECT DISTINCT org, rule_id AS "ruleId" FROM alert_items WHERE due_ms <= ? ORDER BY org, rule_id',
    [nowMs],
  )

/** Counts the items of each rule, and returns the earliest time of each. */
export async function waitingItems(
  reader: Reader,
  org: number,
): Promise<ReadonlyMap<string, { readonly waiting: number; readonly dueMs: number }>> {
  const rows = await reader.all<{ ruleId: string; waiting: number; dueMs: number }>(
    'SELECT rule_id AS "ruleId", count(*) AS waiting, min(due_ms) AS "dueMs" FROM alert_items WHERE org = ? GROUP BY rule_id',
    [org],
  )
  return new Map(
    rows.map(({ ruleId, waiting, dueMs }) => [ruleId, { waiting: Number(waiting), dueMs: Number(dueMs) }]),
  )
}

/** Returns those of the groups that have items. */
export async function waitingGroups(
  tx: Reader,
  org: number,
  ruleId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const sql = `SELECT DISTINCT group_key AS key FROM alert_items WHERE org = ? AND rule_id = ? AND ${tx.dialect.textIn('group_key')}`
  const rows = await tx.all<{ key: string }>(sql, [org, ruleId, JSON.stringify(keys)])
  return new Set(rows.map(({ key }) => key))
}

/** Reads the times of the last detections of reported incidents, by group. */
export async function reportedGroups(
  tx: Reader,
  org: number,
  ruleId: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const sql = `SELECT group_key AS key, last_timestamp AS last FROM alert_groups WHERE org = ? AND rule_id = ? AND ${tx.dialect.textIn('group_key')}`
  const rows = await tx.all<{ key: string; last: number }>(sql, [org, ruleId, JSON.stringify(keys)])
  return new Map(rows.map(({ key, last }) => [key, Number(last)]))
}

/** Records incidents as reported. */
export async function putReportedGroups(
  tx: Tx,
  org: number,
  ruleId: string,
  groups: ReadonlyMap<string, number>,
): Promise<void> {
  if (groups.size === 0) return
  await tx.insert(
    'alert_groups',
    ['org', 'rule_id', 'group_key', 'last_timestamp'],
    [...groups].map(([key, last]) => [org, ruleId, key, last]),
    'ON CONFLICT (org, rule_id, group_key) DO UPDATE SET last_timestamp = excluded.last_timestamp',
  )
}

/** Forgets that incidents were reported whose items are due, before these are removed without a message. */
export const forgetDueGroups = (tx: Tx, org: number, ruleId: string, nowMs: number): Promise<number> =>
  tx.run(
    `DELETE FROM alert_groups WHERE org = ? AND rule_id = ? AND group_key IN (
       SELECT group_key FROM alert_items WHERE org = ? AND rule_id = ? AND due_ms <= ?)`,
    [org, ruleId, org, ruleId, nowMs],
  )

/** Forgets incidents whose last detection is so old that no other can belong to them. */
export const forgetReportedGroups = (tx: Tx, beforeTimestamp: number): Promise<number> =>
  tx.run('DELETE FROM alert_groups WHERE last_timestamp < ?', [beforeTimestamp])

/** A pending event. */
export interface CollectedEvent {
  readonly id: string
  readonly body: string
}

/** Lists the organizations whose router has events that were written before a time. */
export async function organizationsToRoute(reader: Reader, beforeMs: number): Promise<number[]> {
  const rows = await reader.all<{ org: number }>(
    `SELECT w.org FROM webhooks AS w WHERE w.kind = 'ALERTS' AND EXISTS (
       SELECT 1 FROM webhook_deliveries AS d WHERE d.org = w.org AND d.webhook_id = w.id AND d.state = 'PENDING' AND d.due_ms <= ? ${runPerRow})`,
    [beforeMs],
  )
  return rows.map(({ org }) => Number(org))
}

/** Lists the IDs of events of a router that were written before a time, oldest first. */
export async function collectedEventIds(
  tx: Reader,
  org: number,
  beforeMs: number,
  limit: number,
): Promise<string[]> {
  const sql = `SELECT event_id AS id FROM webhook_deliveries
    WHERE org = ? AND webhook_id = ? AND state = 'PENDING' AND due_ms <= ? ORDER BY due_ms, event_id LIMIT ?`
  return (await tx.all<{ id: string }>(sql, [org, routerId, beforeMs, limit])).map(({ id }) => id)
}

/** Removes routed events from the router. */
export const removeCollected = (tx: Tx, org: number, ids: readonly string[]): Promise<number> =>
  tx.run(
    `DELETE FROM webhook_deliveries WHERE org = ? AND webhook_id = ? AND ${tx.dialect.textIn('event_id')}`,
    [org, routerId, JSON.stringify(ids)],
  )

/** Reads events by ID, without those that were deleted. */
export const readEvents = (reader: Reader, org: number, ids: readonly string[]): Promise<CollectedEvent[]> =>
  reader.all<CollectedEvent>(
    `SELECT id, body FROM events WHERE org = ? AND ${reader.dialect.textIn('id')} ORDER BY id`,
    [org, JSON.stringify(ids)],
  )
