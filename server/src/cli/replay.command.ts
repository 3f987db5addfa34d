import { added } from '../features/audit-changes.rules.ts'
import { termsReader } from '../ingest/org-terms.ts'
import { replay } from '../ingest/replay.ts'
import { systemClock, unixSeconds } from '../lib/clock.ts'
import { NewerSchemaError } from '../storage/migrate.ts'
import { openAlone } from '../storage/open-alone.ts'
import { StoreUnavailableError } from '../storage/sql.ts'
import { tellCliChange } from './cli-actor.ts'
import { CommandFailure, defineCommand } from './command.ts'
import { organisationNamed, orgOption } from './with-store.ts'

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
          const { no: org } = await organisationNamed(db, options.org)
          return await db.inTransaction(async (tx) => {
            const terms = await termsReader()(tx, org)
            const outcome = await replay(tx, org, { terms, publicUrl: config.publicUrl })
            const changes = [added('replay', `${outcome.events} events`)]
            await tellCliChange(tx, org, 'records', changes, 'Records were made again from kept events')
            return outcome
          })
        } finally {
          await db.close()
        }
      })
      .catch((error: unknown) => {
        if (error instanceof NewerSchemaError) throw new CommandFailure(error.message, { cause: error })
        if (error instanceof StoreUnavailableError)
          throw new CommandFailure(`Nothing was done: ${error.message}.`, { cause: error })
        throw error
      })
    if (context.json) return context.printJson(outcome)
    const { events, batches, removed } = outcome
    context.print(`${events} events of ${batches} batches were replayed over ${removed} records.`)
  },
})
