import { internalId } from '../../kernel/lib/secrets/derived-id.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import {
  deleteWebhook,
  findEndpoint,
  listWebhookRows,
  putWebhook,
  type WebhookRow,
} from '../webhooks/webhooks.service.ts'
import { objectsOf, type RuleDefinition } from './alert-facts.rules.ts'

/** A rule. */
export interface AlertRuleRow {
  /** Endpoint of the kind `ALERT`: name, destination, secret, state. Its URL is only an origin; the rest is sealed. */
  readonly endpoint: WebhookRow
  readonly definition: RuleDefinition
  /** Earliest time of the next message that is sent at once. */
  readonly restsUntilMs: number
  /** Time up to which silent agents were reported; UNIX seconds. */
  readonly silentUntilTimestamp: number
}

/** ID of the endpoint that collects the events for all rules of an organization. */
export const routerId = internalId(0, ['alerts'])

const columns = `id, definition, rests_until_ms AS "restsUntilMs", silent_until_timestamp AS "silentUntilTimestamp"`

interface StoredRule {
  readonly id: string
  readonly definition: string
  readonly restsUntilMs: number
  readonly silentUntilTimestamp: number
}

const ruleOf = (endpoint: WebhookRow, stored: StoredRule): AlertRuleRow => ({
  endpoint,
  definition: JSON.parse(stored.definition) as RuleDefinition,
  restsUntilMs: Number(stored.restsUntilMs),
  silentUntilTimestamp: Number(stored.silentUntilTimestamp),
})

/** Lists the rules of an organization, oldest first. */
export async function listAlertRules(reader: Reader, org: number): Promise<AlertRuleRow[]> {
  const stored = await reader.all<StoredRule>(`SELECT ${columns} FROM alert_rules WHERE org = ?`, [org])
  if (stored.length === 0) return []
  const byId = new Map(stored.map((row) => [row.id, row]))
  return (await listWebhookRows(reader, org, 'ALERT')).flatMap((endpoint) => {
    const row = byId.get(endpoint.id)
    return row ? [ruleOf(endpoint, row)] : []
  })
}

/** Finds a rule. */
export async function findAlertRule(
  reader: Reader,
  org: number,
  id: string,
): Promise<AlertRuleRow | undefined> {
  const sql = `SELECT ${columns} FROM alert_rules WHERE org = ? AND id = ?`
  const stored = await reader.get<StoredRule>(sql, [org, id])
  const endpoint = stored && (await findEndpoint(reader, org, id, 'ALERT'))
  return endpoint && ruleOf(endpoint, stored)
}

/** Inserts or replaces a rule, and subscribes to the events that the enabled rules need. */
export async function putAlertRule(tx: Tx, rule: AlertRuleRow): Promise<void> {
  const { endpoint, definition, restsUntilMs, silentUntilTimestamp } = rule
  await putWebhook(tx, endpoint)
  await tx.insert(
    'alert_rules',
    ['org', 'id', 'definition', 'rests_until_ms', 'silent_until_timestamp'],
    [[endpoint.org, endpoint.id, JSON.stringify(definition), restsUntilMs, silentUntilTimestamp]],
    'ON CONFLICT (org, id) DO UPDATE SET definition = excluded.definition, rests_until_ms = excluded.rests_until_ms, silent_until_timestamp = excluded.silent_until_timestamp',
  )
  await subscribe(tx, endpoint.org, endpoint.creationTimestamp)
}

/** Removes a rule and what waits for it. Its deliveries, which may be many, are purged afterwards. */
export async function deleteAlertRule(tx: Tx, org: number, id: string, nowSeconds: number): Promise<void> {
  await tx.run('DELETE FROM alert_rules WHERE org = ? AND id = ?', [org, id])
  await tx.run('DELETE FROM alert_items WHERE org = ? AND rule_id = ?', [org, id])
  await tx.run('DELETE FROM alert_groups WHERE org = ? AND rule_id = ?', [org, id])
  await deleteWebhook(tx, org, id)
  await subscribe(tx, org, nowSeconds)
}

/** Updates the endpoint that collects events. It exists while a rule is enabled. */
async function subscribe(tx: Tx, org: number, nowSeconds: number): Promise<void> {
  const enabled = (await listAlertRules(tx, org)).filter(({ endpoint }) => endpoint.enabled)
  const objects = objectsOf([...new Set(enabled.flatMap(({ definition }) => definition.triggers))])
  if (objects.length === 0) return deleteWebhook(tx, org, routerId)
  await putWebhook(tx, {
    org,
    id: routerId,
    kind: 'ALERTS',
    name: null,
    url: '',
    categories: [],
    objects,
    headersSealed: null,
    secretSealed: null,
    previousSecretSealed: null,
    previousSecretUntil: null,
    batchSize: 1,
    enabled: true,
    disabledReason: null,
    creationTimestamp: nowSeconds,
    createdBy: 'alerts',
  })
}

/** Lists the organizations with enabled rules. */
export async function alertOrganizations(reader: Reader): Promise<number[]> {
  const sql = "SELECT DISTINCT org FROM webhooks WHERE kind = 'ALERT' AND enabled = 1 ORDER BY org"
  return (await reader.all<{ org: number }>(sql)).map(({ org }) => Number(org))
}
