import { ApiError, type Mistake } from '@muster/contract/errors'
import type { Actor } from '@muster/contract/event-actor'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, UsageError } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { openMasterKey } from '../../kernel/store/lifecycle/master-key.ts'
import { senderOptions } from './delivery/start-deliverer.ts'
import type { BookParts } from './webhook-book.ts'

/** The option by which commands on webhooks take the organization. */
export const webhookOrg = orgOption

/** The word by which commands take an endpoint. */
export const webhookWord = {
  name: 'ID',
  help: 'the id of the endpoint, as muster webhooks list shows it',
  required: true,
} as const

/** What a command on endpoints works with. */
export interface WebhookWork extends BookParts {
  readonly org: number
  readonly actor: Actor
}

/** What members of a plan are called on the command line. */
const optionNames: Readonly<Record<string, string>> = {
  url: '--url',
  name: '--name',
  headers: '--header',
  categories: '--categories',
}

/**
 * Works on the endpoints of an organization, also while a server runs.
 *
 * @throws UsageError, CommandFailure for what the book refuses
 */
export async function withWebhooks<T>(
  context: CommandContext,
  orgName: string,
  work: (parts: WebhookWork) => Promise<T>,
): Promise<T> {
  const config = context.config()
  const terms = senderOptions(config)
  try {
    return await withStore(config, async (db) => {
      const { no: org } = await organizationNamed(db, orgName)
      const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
      const key = deriveKeys(master).webhookSecrets
      return work({ db, clock: systemClock, key, terms, org, actor: cliAuditContext().actor })
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'not_found')
      throw new CommandFailure(`${error.message} muster webhooks list shows those there are.`)
    if (error.mistakes.length === 0) throw new CommandFailure(error.message)
    throw new UsageError(error.mistakes.map(mistakeText).join('\n'))
  }
}

const mistakeText = ({ name, message }: Mistake): string => `${optionNames[name] ?? name} ${message}.`
