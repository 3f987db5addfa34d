import { ApiError, type Mistake } from '@muster/contract/api/errors'
import type { Actor } from '@muster/contract/events/event-actor'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, UsageError } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { openMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import { senderOptions } from './delivery/webhook-sender.ts'
import type { WebhookContext } from './manage-webhooks.ts'

/** Organization option of the webhook commands. */
export const webhookOrg = orgOption

/** Positional argument with the ID of an endpoint. */
export const webhookIdArgument = {
  name: 'ID',
  help: 'ID of the endpoint, as shown by muster webhooks list',
  required: true,
} as const

/** Dependencies of a webhook command. */
export interface WebhookCommandContext extends WebhookContext {
  readonly org: number
  readonly actor: Actor
}

/** Command line options of the properties of an endpoint or an alert rule. */
const optionNames: Readonly<Record<string, string>> = {
  url: '--url',
  name: '--name',
  headers: '--header',
  categories: '--categories',
  target: '--url',
  'target.url': '--url',
  'target.key': '--key',
  addresses: '--to',
  groups: '--groups',
  triggers: '--on',
  detectionTypes: '--detection-types',
  findingTypes: '--finding-types',
}

/**
 * Opens the store and runs an operation on the endpoints of an organization. Works while a server runs.
 *
 * @param what what the operation is about, as in the name of the command that lists it
 * @throws UsageError or CommandFailure in place of an ApiError of the operation
 */
export async function withWebhooks<T>(
  context: CommandContext,
  orgName: string,
  run: (webhooks: WebhookCommandContext) => Promise<T>,
  what: 'webhooks' | 'alerts' = 'webhooks',
): Promise<T> {
  const config = context.config()
  const targetPolicy = senderOptions(config)
  try {
    return await withStore(config, async (db) => {
      const { no: org } = await organizationNamed(db, orgName)
      const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
      const key = deriveKeys(master).webhookSecrets
      return run({ db, clock: systemClock, key, targetPolicy, org, actor: cliAuditContext().actor })
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'not_found')
      throw new CommandFailure(`${error.message}. Run muster ${what} list to see all.`)
    if (error.mistakes.length === 0) throw new CommandFailure(error.message)
    throw new UsageError(error.mistakes.map(mistakeText).join('\n'))
  }
}

/** An option of a list is repeated for each entry: `addresses[1]` is the second `--to`. */
const mistakeText = ({ name, message }: Mistake): string =>
  `${optionNames[name.replace(/\[\d+\]$/, '')] ?? name} ${message}.`
