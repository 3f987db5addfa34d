import { ApiError, notFound } from '@muster/contract/api/errors'
import type { alertOperations } from '@muster/contract/console/alerts/console-alerts'
import { storableId } from '../../kernel/actions/read.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { listAlertDeliveries, resendAlert } from './alert-log.ts'
import type { AlertRuleRow } from './alert-rules.service.ts'
import { alertRuleViews } from './alert-view.ts'
import { addAlertRule, changeAlertRule, removeAlertRule, requireAlertRule } from './manage-alerts.ts'
import { testAlertRule } from './test-alert.ts'

/** Console operations on alert rules. */
export function alertHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof alertOperations> {
  const { db, clock, keys, webhooks, settings, mailerOf, publicUrl } = parts
  const { targetPolicy, sender } = webhooks
  const context = { db, clock, key: keys.webhookSecrets, targetPolicy }
  const orgOf = ({ caller }: ConsoleCall): number => caller.administrator.org

  const found = (call: ConsoleCall, id: string): Promise<AlertRuleRow> =>
    storableId(id)
      ? requireAlertRule(db, orgOf(call), id)
      : Promise.reject(notFound('There is no alert rule with this ID'))

  const view = async (call: ConsoleCall, rule: AlertRuleRow) => {
    const [shown] = await alertRuleViews(db, orgOf(call), [rule])
    if (!shown) throw notFound()
    return shown
  }

  return {
    listAlertRules: async (call) => ({
      rules: await alertRuleViews(db, orgOf(call)),
      timeZone: settings.of(orgOf(call)).timeZone,
      allowsPrivate: targetPolicy.allowPrivate,
    }),

    addAlertRule: async (call, input) =>
      view(call, await addAlertRule(context, orgOf(call), input, auditContext(call).actor)),

    changeAlertRule: async (call, change, id) => {
      const org = orgOf(call)
      await found(call, id)
      const { timeZone } = settings.of(org)
      const { actor } = auditContext(call)
      return view(call, await changeAlertRule(context, org, id, change, { actor, timeZone }))
    },

    removeAlertRule: async (call, _body, id) => {
      await found(call, id)
      await removeAlertRule(context, orgOf(call), id, auditContext(call).actor)
      return {}
    },

    testAlertRule: async (call, _body, id) => {
      const rule = await found(call, id)
      const mailer = mailerOf(orgOf(call))
      const testContext = { db, clock, key: context.key, sender, mailer, publicUrl }
      return testAlertRule(testContext, rule, call.caller.organization)
    },

    listAlertDeliveries: async (call, _body, id) => {
      const { endpoint } = await found(call, id)
      return { deliveries: await listAlertDeliveries(db.slow, endpoint) }
    },

    resendAlert: async (call, message, id) => {
      const { endpoint } = await found(call, id)
      if (!storableId(message.messageId)) throw notFound('This rule has no such message')
      const isQueued = await db.inTransaction((tx) => resendAlert(tx, endpoint, message, clock.nowMs()))
      if (!isQueued)
        throw new ApiError(
          'conflict',
          'This message was erased, or it is being sent and cannot be sent again.',
        )
      return {}
    },
  }
}
