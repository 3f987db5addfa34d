import { added } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption } from '../../kernel/cli/with-store.ts'
import { UnsupportedSchemaError } from '../../kernel/store/lifecycle/migrate.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { replay } from './replay.ts'

/** `muster replay` */
export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'Recreate the inventory from the stored events of browsers',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: `Recreates the apps, accounts, browser extensions, findings and detections that came from events, with the current
  rules, thresholds and products, in one transaction. IDs and decisions of administrators are kept. Records that were
  imported, or came from events that are no longer stored, are kept. Stop the server first.

Example:
  muster replay --org emea`,
  async run(context, { options }) {
    const config = context.config()
    const outcome = await openStore({
      mode: 'exclusive',
      dataDir: config.data,
      databaseUrl: config.databaseUrl,
    })
      .then(async (db) => {
        try {
          const { no: org } = await organizationNamed(db, options.org)
          return await db.inTransaction(async (tx) => {
            const settings = await orgSettingsReader()(tx, org)
            const outcome = await replay(tx, org, { settings, publicUrl: config.publicUrl })
            const changes = [added('replay', `${outcome.events} events`)]
            await auditCliChange(tx, org, 'records', changes, 'Records were recreated from stored events')
            return outcome
          })
        } finally {
          await db.close()
        }
      })
      .catch((error: unknown) => {
        if (error instanceof UnsupportedSchemaError) throw new CommandFailure(error.message, { cause: error })
        if (error instanceof StoreUnavailableError)
          throw new CommandFailure(`Nothing was changed: ${error.message}.`, { cause: error })
        throw error
      })
    if (context.json) return context.printJson(outcome)
    const { events, batches, removed } = outcome
    context.print(
      `${events} events of ${batches} batches were replayed; ${removed} records were removed first.`,
    )
  },
})
