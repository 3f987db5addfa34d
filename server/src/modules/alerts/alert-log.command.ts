import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { organizationOf } from '../../kernel/organizations/organizations.ts'
import { mailersOf } from '../notices/mailers.ts'
import { addressGuard } from '../webhooks/delivery/address-guard.ts'
import { hostResolver } from '../webhooks/delivery/resolve-host.ts'
import { senderOptions, webhookSender } from '../webhooks/delivery/webhook-sender.ts'
import { webhookOrg, withWebhooks } from '../webhooks/webhook-command-context.ts'
import { alertIdArgument, configOfOrganization } from './alert-command-parts.ts'
import { listAlertDeliveries } from './alert-log.ts'
import { requireAlertRule } from './manage-alerts.ts'
import { testAlertRule } from './test-alert.ts'

/** `muster alerts test` */
export const alertsTest = defineCommand({
  name: 'alerts test',
  summary: 'Send a test message of a rule and show the result',
  needsStore: true,
  json: true,
  settings: ['webhooksAllowPrivate', 'webhooksCa'],
  positionals: [alertIdArgument],
  options: { org: webhookOrg },
  details: 'Example:\n  muster alerts test 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
  async run(context, { options, words: [id = ''] }) {
    const config = await configOfOrganization(context, options.org)
    const policy = senderOptions(config)
    const sender = webhookSender(policy)
    const resolver = hostResolver()
    const guard = addressGuard(policy, resolver)
    const { publicUrl, data: dataDir } = config
    try {
      const result = await withWebhooks(
        context,
        options.org,
        async ({ db, clock, key, org }) => {
          const rule = await requireAlertRule(db, org, id)
          const organization = await organizationOf(db, org)
          if (!organization) throw new CommandFailure('The organization was removed.')
          const nameOf = () => newId(clock.nowMs())
          const mailer = mailersOf(() => config, { publicUrl, dataDir, nameOf, guard })(org)
          return testAlertRule({ db, clock, key, sender, mailer, publicUrl }, rule, organization)
        },
        'alerts',
      )
      if (context.json) context.printJson(result)
      else context.print(result.delivered ? 'Delivered.' : `Not delivered: ${result.error}.`)
      return result.delivered ? 0 : 1
    } finally {
      sender.close()
      resolver.close()
    }
  },
})

/** `muster alerts log` */
export const alertsLog = defineCommand({
  name: 'alerts log',
  summary: 'Show the latest messages of a rule',
  needsStore: true,
  json: true,
  positionals: [alertIdArgument],
  options: { org: webhookOrg },
  details: 'Example:\n  muster alerts log 01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90 --json',
  async run(context, { options, words: [id = ''] }) {
    const deliveries = await withWebhooks(
      context,
      options.org,
      async ({ db, org }) => {
        await requireAlertRule(db, org, id)
        return listAlertDeliveries(db, { org, id })
      },
      'alerts',
    )
    if (context.json) return context.printJson(deliveries)
    if (deliveries.length === 0) return context.note('No messages yet.')
    const rows = deliveries.map((one) => [
      momentText(one.timestamp),
      one.test ? `${one.state} (test)` : one.state,
      String(one.attempts),
      one.receiver ?? '',
      one.title,
      one.error ?? '',
    ])
    context.print(textTable(['TIME', 'STATE', 'ATTEMPTS', 'RECEIVER', 'TITLE', 'ERROR'], rows))
  },
})
