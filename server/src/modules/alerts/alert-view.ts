import type { AlertRule } from '@muster/contract/console/alerts/alert-rule'
import type { Reader } from '../../kernel/store/sql.ts'
import { waitingItems } from './alert-items.store.ts'
import { undeliveredMessages } from './alert-log.ts'
import { type AlertRuleRow, listAlertRules } from './alert-rules.service.ts'

/** Returns rules without their secrets, with the numbers of what waits. */
export async function alertRuleViews(
  reader: Reader,
  org: number,
  rules?: readonly AlertRuleRow[],
): Promise<AlertRule[]> {
  const waiting = await waitingItems(reader, org)
  const undelivered = await undeliveredMessages(reader, org)
  return (rules ?? (await listAlertRules(reader, org))).map(({ endpoint, definition }) => {
    const items = waiting.get(endpoint.id)
    return {
      id: endpoint.id,
      name: endpoint.name ?? '',
      enabled: endpoint.enabled,
      ...definition,
      target: endpoint.url === '' ? null : endpoint.url,
      creationTimestamp: endpoint.creationTimestamp,
      createdBy: endpoint.createdBy,
      waiting: items?.waiting ?? 0,
      nextTimestamp: items && definition.schedule !== 'IMMEDIATE' ? Math.ceil(items.dueMs / 1000) : null,
      undelivered: undelivered.get(endpoint.id) ?? 0,
    }
  })
}
