import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ApiError, invalidRequest, notFound } from '@muster/contract/api/errors'
import {
  type AlertRuleChange,
  type AlertRuleInput,
  alertDefaults,
  alertRulesMaximum,
} from '@muster/contract/console/alerts/alert-rule'
import type { Actor } from '@muster/contract/events/event-actor'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { mask } from '../../kernel/lib/secrets/redact.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import type { TargetPolicy } from '../webhooks/delivery/target.rules.ts'
import { purgeRemovedEndpoint } from '../webhooks/webhook-retention.service.ts'
import { creatorName, type WebhookRow } from '../webhooks/webhooks.service.ts'
import type { RuleDefinition } from './alert-facts.rules.ts'
import { rescheduleItems } from './alert-items.store.ts'
import {
  type AlertRuleRow,
  deleteAlertRule,
  findAlertRule,
  listAlertRules,
  putAlertRule,
} from './alert-rules.service.ts'
import { nextMessageMs, type Schedule } from './alert-schedule.rules.ts'
import { changedDefinition, ruleMistakes } from './check-rule.ts'
import type { AlertTarget } from './destinations/destination.ts'
import { destinationOf } from './destinations/destinations.ts'
import { alertsLock } from './route-events.ts'
import { sealTarget } from './send-alert.ts'

/** Dependencies of the operations on rules. */
export interface AlertContext {
  readonly db: Db
  readonly clock: Clock
  /** Encrypts targets. */
  readonly key: KeyObject
  readonly targetPolicy: TargetPolicy
}

const ruleNotFound = () => notFound('There is no alert rule with this ID')

/** Finds a rule. @throws ApiError not_found */
export async function requireAlertRule(reader: Reader, org: number, id: string): Promise<AlertRuleRow> {
  const rule = await findAlertRule(reader, org, id)
  if (!rule) throw ruleNotFound()
  return rule
}

/** Returns the origin of a target for display; empty for e-mail. */
function originOf({ destination }: RuleDefinition, target: AlertTarget): string {
  const url = target.url ?? destinationOf(destination)?.defaultUrl
  return url === undefined ? '' : new URL(url).origin
}

const scheduleOf = ({ schedule, hour, weekday }: RuleDefinition): Schedule => ({ schedule, hour, weekday })

/** Adds a rule. @throws ApiError invalid_request, conflict */
export async function addAlertRule(
  { db, clock, key, targetPolicy }: AlertContext,
  org: number,
  { name, enabled = true, target, ...input }: AlertRuleInput,
  actor: Actor,
): Promise<AlertRuleRow> {
  const definition: RuleDefinition = changedDefinition(
    { ...alertDefaults, triggers: input.triggers, destination: input.destination },
    input,
  )
  const mistakes = ruleMistakes(definition, target, false, targetPolicy)
  if (mistakes.length > 0) throw invalidRequest(mistakes)
  const endpointId = { org, id: newId(clock.nowMs()) }
  const endpoint: WebhookRow = {
    ...endpointId,
    kind: 'ALERT',
    name: name.trim(),
    url: originOf(definition, target ?? {}),
    // Alert rules subscribe to nothing themselves.
    categories: [],
    objects: [],
    headersSealed: null,
    secretSealed: target ? sealTarget(key, endpointId, target) : null,
    previousSecretSealed: null,
    previousSecretUntil: null,
    batchSize: 1,
    enabled,
    disabledReason: enabled ? null : 'ADMINISTRATOR',
    creationTimestamp: unixSeconds(clock),
    createdBy: creatorName(actor),
  }
  const rule: AlertRuleRow = {
    endpoint,
    definition,
    restsUntilMs: 0,
    // Agents that are silent already are not reported.
    silentUntilTimestamp: unixSeconds(clock),
  }
  await db.inTransaction(async (tx) => {
    await tx.lock(alertsLock(org))
    if ((await listAlertRules(tx, org)).length >= alertRulesMaximum)
      throw new ApiError(
        'conflict',
        `The limit of ${alertRulesMaximum} alert rules is reached. Remove one first.`,
      )
    await putAlertRule(tx, rule)
    await auditRule(tx, undefined, rule, { actor, timestamp: unixSeconds(clock) })
  })
  return rule
}

/**
 * Changes a rule. A call that changes nothing is not audited.
 *
 * @param timeZone time zone of the organization
 * @throws ApiError invalid_request, not_found
 */
export function changeAlertRule(
  { db, clock, key, targetPolicy }: AlertContext,
  org: number,
  id: string,
  { name, enabled, target, ...change }: AlertRuleChange,
  { actor, timeZone }: { readonly actor: Actor; readonly timeZone: string },
): Promise<AlertRuleRow> {
  return db.inTransaction(async (tx) => {
    await tx.lock(alertsLock(org))
    const old = await requireAlertRule(tx, org, id)
    const definition = changedDefinition(old.definition, change)
    // The secret of one destination is not sent to another.
    const keepsTarget = definition.destination === old.definition.destination
    const mistakes = ruleMistakes(definition, target, keepsTarget, targetPolicy)
    if (mistakes.length > 0) throw invalidRequest(mistakes)
    const isEnabled = enabled ?? old.endpoint.enabled
    const kept = keepsTarget ? old.endpoint : { url: '', secretSealed: null }
    const rule: AlertRuleRow = {
      ...old,
      definition,
      endpoint: {
        ...old.endpoint,
        name: name === undefined ? old.endpoint.name : name.trim(),
        url: target ? originOf(definition, target) : kept.url,
        secretSealed: target ? sealTarget(key, { org, id }, target) : kept.secretSealed,
        enabled: isEnabled,
        disabledReason: isEnabled ? null : 'ADMINISTRATOR',
      },
      ...(isEnabled && !old.endpoint.enabled && { silentUntilTimestamp: unixSeconds(clock) }),
    }
    if (isDeepStrictEqual(rule, old)) return old
    await putAlertRule(tx, rule)
    // Other changes do not move a digest that is due.
    if (!isDeepStrictEqual(scheduleOf(definition), scheduleOf(old.definition)))
      await rescheduleItems(tx, org, id, nextMessageMs(definition, timeZone, clock.nowMs()))
    await auditRule(tx, old, rule, { actor, timestamp: unixSeconds(clock) })
    return rule
  })
}

/** Removes a rule, then its pending messages and its log. @throws ApiError not_found */
export async function removeAlertRule(
  { db, clock }: Pick<AlertContext, 'db' | 'clock'>,
  org: number,
  id: string,
  actor: Actor,
): Promise<AlertRuleRow> {
  const timestamp = unixSeconds(clock)
  const rule = await db.inTransaction(async (tx) => {
    await tx.lock(alertsLock(org))
    const found = await requireAlertRule(tx, org, id)
    await deleteAlertRule(tx, org, id, timestamp)
    await auditRule(tx, found, undefined, { actor, timestamp })
    return found
  })
  await purgeRemovedEndpoint(db, { org, webhookId: id })
  return rule
}

/** Returns a rule as shown in the audit trail: secrets are masked. */
function auditedRule(rule: AlertRuleRow | undefined, other: AlertRuleRow | undefined): object {
  if (!rule)
    return other
      ? Object.fromEntries(Object.keys(auditedRule(other, undefined)).map((name) => [name, null]))
      : {}
  const { endpoint, definition } = rule
  const hasOtherTarget = other !== undefined && other.endpoint.secretSealed !== endpoint.secretSealed
  return {
    name: endpoint.name,
    enabled: endpoint.enabled,
    ...definition,
    target:
      endpoint.secretSealed === null ? null : `${endpoint.url}/${mask}${hasOtherTarget ? ' (replaced)' : ''}`,
  }
}

async function auditRule(
  tx: Tx,
  old: AlertRuleRow | undefined,
  rule: AlertRuleRow | undefined,
  by: { readonly actor: Actor; readonly timestamp: number },
): Promise<void> {
  const endpoint = (rule ?? old)?.endpoint
  if (!endpoint) return
  const changes = auditedChanges(auditedRule(old, undefined), auditedRule(rule, old))
  const verb = old === undefined ? 'added' : rule === undefined ? 'removed' : 'changed'
  await recordAudit(tx, endpoint.org, 'SETTING_UPDATED', {
    ...by,
    new: { setting: 'alert rules', changes },
    what: `Alert rule "${endpoint.name ?? ''}" was ${verb}`,
  })
}
