import { type Browser, browsers } from '@muster/contract/records/browser'
import { employees } from '@muster/contract/records/employee'
import { eachOrThrow } from '../../kernel/lib/all-settled.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'
import type { AlertEvent } from './alert-facts.rules.ts'
import { insertItems } from './alert-items.store.ts'
import { type AlertRuleRow, alertOrganizations, listAlertRules } from './alert-rules.service.ts'
import { nextMessageMs } from './alert-schedule.rules.ts'
import { severityRank } from './compose-message.rules.ts'
import { eventContexts } from './event-contexts.ts'
import { matchesRule } from './match-event.rules.ts'
import { alertsLock, type TimeZoneOf } from './route-events.ts'

const daySeconds = 86_400

/** Reads browsers by ID in the form of events. Those that were removed, or have been in contact since, are absent. */
export async function silentBrowserEvents(
  reader: Reader,
  org: number,
  ids: readonly string[],
  { silentDays, nowSeconds }: { readonly silentDays: number; readonly nowSeconds: number },
): Promise<AlertEvent[]> {
  if (ids.length === 0) return []
  const sql = `SELECT b.record FROM ${tableOf(browsers).name} AS b WHERE b.org = ? AND ${reader.dialect.textIn('b.id')} ORDER BY b.id`
  const rows = await reader.all<{ record: string }>(sql, [org, JSON.stringify(ids)])
  return rows.flatMap(({ record }) => {
    const browser = JSON.parse(record) as Browser
    const days = Math.floor((nowSeconds - browser.lastOnlineTimestamp) / daySeconds)
    if (days < silentDays) return []
    return [
      {
        id: browser.id,
        object: 'BROWSER',
        timestamp: browser.lastOnlineTimestamp,
        type: 'CREATE',
        description: `No contact with a browser of ${browser.email} for ${days === 1 ? '1 day' : `${days} days`}`,
        new: browser,
        old: null,
      },
    ]
  })
}

/** Lists browsers of licensed employees that were last in contact after one time and until another; UNIX seconds. */
async function silentSince(reader: Reader, org: number, after: number, until: number): Promise<string[]> {
  const sql = `SELECT b.id FROM ${tableOf(browsers).name} AS b
    JOIN ${tableOf(employees).name} AS e ON e.org = b.org AND e.id = b.employee_id
    WHERE b.org = ? AND b.last_online_timestamp > ? AND b.last_online_timestamp <= ? AND e.licensed = 1`
  return (await reader.all<{ id: string }>(sql, [org, after, until])).map(({ id }) => id)
}

const reports = ({ endpoint, definition }: AlertRuleRow): boolean =>
  endpoint.enabled && definition.triggers.includes('SILENT_AGENT')

/**
 * Makes agents that have become silent wait for a message. Each rule remembers up to when it has looked, so an agent is
 * reported once each time it becomes silent.
 */
export async function findSilentAgents(db: Db, nowMs: number, timeZoneOf: TimeZoneOf): Promise<void> {
  await eachOrThrow(await alertOrganizations(db), async (org) => {
    if (!(await listAlertRules(db, org)).some(reports)) return
    await db.inTransaction(async (tx) => {
      await tx.lock(alertsLock(org))
      for (const rule of (await listAlertRules(tx, org)).filter(reports))
        await findForRule(tx, rule, nowMs, timeZoneOf(org))
    })
  })
}

async function findForRule(
  tx: Tx,
  { endpoint, definition, silentUntilTimestamp }: AlertRuleRow,
  nowMs: number,
  timeZone: string,
): Promise<void> {
  const { org, id: ruleId } = endpoint
  const nowSeconds = Math.floor(nowMs / 1000)
  const silence = definition.silentDays * daySeconds
  const ids = await silentSince(tx, org, silentUntilTimestamp - silence, nowSeconds - silence)
  const events = await silentBrowserEvents(tx, org, ids, { silentDays: definition.silentDays, nowSeconds })
  const { contextOf } = await eventContexts(tx, org, events)
  const dueMs = nextMessageMs(definition, timeZone, nowMs)
  const items = events
    .filter((event) => matchesRule(definition, event, contextOf(event)))
    .map((event) => ({
      ruleId,
      source: 'BROWSER' as const,
      sourceId: event.id,
      groupKey: 'SILENT_AGENT',
      severity: severityRank(event, contextOf(event)),
      dueMs,
    }))
  await insertItems(tx, org, items)
  await tx.run('UPDATE alert_rules SET silent_until_timestamp = ? WHERE org = ? AND id = ?', [
    nowSeconds,
    org,
    ruleId,
  ])
}
