import { added } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { UnsupportedSchemaError } from '../../kernel/store/lifecycle/migrate.ts'
import { openAlone } from '../../kernel/store/lifecycle/open-alone.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'
import { termsReader } from '../agents/org-terms.ts'
import { replay } from './replay.ts'

/** `muster replay` */
export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'Make the inventory anew from the events of browsers that are kept',
  needsStore: true,
  json: true,
  options: { org: orgOption },
  details: `Apps, accounts, browser extensions, findings and detections that came from events are made anew by the rules, thresholds
and products of now, all at once or not at all. Ids stay, and so does what administrators have decided. What was
imported, or comes from events that are not kept any more, stays as it is. Stop the server first.

Example:
  muster replay --org emea`,
  async run(context, { options }) {
    const config = context.config()
    const outcome = await openAlone(
      { dataDir: config.data, databaseUrl: config.databaseUrl },
      unixSeconds(systemClock),
    )
      .then(async (db) => {
        try {
          const { no: org } = await organizationNamed(db, options.org)
          return await db.inTransaction(async (tx) => {
            const terms = await termsReader()(tx, org)
            const outcome = await replay(tx, org, { terms, publicUrl: config.publicUrl })
            const changes = [added('replay', `${outcome.events} events`)]
            await auditCliChange(tx, org, 'records', changes, 'Records were made again from kept events')
            return outcome
          })
        } finally {
          await db.close()
        }
      })
      .catch((error: unknown) => {
        if (error instanceof UnsupportedSchemaError) throw new CommandFailure(error.message, { cause: error })
        if (error instanceof StoreUnavailableError)
          throw new CommandFailure(`Nothing was done: ${error.message}.`, { cause: error })
        throw error
      })
    if (context.json) return context.printJson(outcome)
    const { events, batches, removed } = outcome
    context.print(`${events} events of ${batches} batches were replayed over ${removed} records.`)
  },
})
