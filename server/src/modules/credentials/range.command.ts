import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { added } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange, forEachOrganization } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { startProgress } from '../../kernel/cli/progress.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { openInput } from '../../kernel/lib/line-reader.ts'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import { bumpAllPolicyRevisions } from '../../kernel/organizations/policy-revision.ts'
import { leakedRangeFile } from './leaked-range.service.ts'
import { loadLeakedRange, RangeLineError, type RangeLoaded } from './leaked-range-load.store.ts'

/** `muster range load` */
export const rangeLoad = defineCommand({
  name: 'range load',
  summary: 'Load the list of leaked passwords for look-ups by range',
  json: true,
  positionals: [
    {
      name: 'FILE',
      help: 'lines of SHA-1, colon and count, in any order; .gz is decompressed, - is standard input',
      required: true,
    },
  ],
  options: {},
  details: `Replaces the current list in the data folder of this machine; with several servers, load it on each. The list
  takes 22 bytes per password, and loading takes about 25 bytes per password in addition to the current list. Memory holds
  1/256 of the list.

Example:
  muster range load pwned-passwords.txt`,
  async run(context, { words: [path = ''] }) {
    const config = context.config()
    makeFolder(config.data)
    const loaded = await load(context, path, leakedRangeFile(config.data))
    await withStore(config, (db) =>
      db.inTransaction(async (tx) => {
        await bumpAllPolicyRevisions(tx, unixSeconds(systemClock))
        const changes = [added('list', `${loaded.passwords} leaked passwords`)]
        await forEachOrganization(tx, (org) => auditCliChange(tx, org, 'leaked passwords', changes))
      }),
    )
    if (context.json) return context.printJson(loaded)
    const repeated = loaded.repeated > 0 ? ` ${loaded.repeated} lines repeated a password.` : ''
    context.print(`${loaded.passwords} leaked passwords loaded.${repeated}`)
  },
})

async function load(context: CommandContext, path: string, target: string): Promise<RangeLoaded> {
  const file = path === '-' ? path : resolve(context.io.cwd, path)
  const isUncompressed = file !== '-' && !file.endsWith('.gz')
  const progress = startProgress({
    stream: context.io.stderr,
    clock: systemClock,
    label: file === '-' ? 'standard input' : basename(file),
    unit: 'bytes',
    total: isUncompressed ? statSync(file, { throwIfNoEntry: false })?.size : undefined,
  })
  try {
    return await loadLeakedRange(target, openInput(file, context.signal), (bytes) => {
      context.signal.throwIfAborted()
      progress.advance(bytes)
    })
  } catch (error) {
    if (error instanceof RangeLineError)
      throw new CommandFailure(`${path}: ${error.message}`, { cause: error })
    if (
      (error as { syscall?: string }).syscall !== undefined ||
      (error as { code?: string }).code === 'Z_DATA_ERROR'
    )
      throw new CommandFailure(`${path} cannot be loaded: ${(error as Error).message}.`, { cause: error })
    throw error
  } finally {
    progress.finish()
  }
}
