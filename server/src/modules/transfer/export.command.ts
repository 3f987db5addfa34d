import { readdirSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { collections } from '@muster/contract/api'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { startProgress } from '../../kernel/cli/progress.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import { countAllRecords } from '../../kernel/store/count.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { exportResource, finishExport, discardExport } from './export-files.ts'
import { resourceNames } from './resources.ts'

/** `muster export` */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write all records of an organization to files of JSON Lines',
  needsStore: true,
  json: true,
  positionals: [{ name: 'DIR', help: 'the directory to write to; made if it is not there', required: true }],
  options: {
    org: orgOption,
    gzip: { type: 'flag', help: 'pack the files: employees.jsonl.gz' },
    force: { type: 'flag', help: 'write to a directory that is not empty, over an export that is there' },
  },
  details: `One file per resource, records as the API shows them, oldest first: what muster import takes. It can run while a
server serves; each file then holds every record that was there all the while. API keys, stolen credentials and enrollment
links are not exported: muster backup keeps those.

Examples:
  muster export /srv/export
  muster export /srv/export-emea --org emea --gzip`,
  async run(context, { options, words: [word = ''] }) {
    const folder = resolve(context.io.cwd, word)
    checkFolder(folder, word, options.force)
    const counts = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      makeFolder(folder)
      // Told before anything is written: a part of the files is an export, too.
      await db.inTransaction((tx) =>
        recordAudit(tx, no, 'DATA_EXPORTED', {
          ...cliAuditContext(),
          new: { what: 'all records', format: 'JSON', count: 0 },
        }),
      )
      const place = { folder, gzip: options.gzip }
      try {
        const written = await exportAll(context, db, no, place)
        finishExport(place, resourceNames)
        return written
      } catch (error) {
        discardExport(place, resourceNames)
        throw error
      }
    })
    if (context.json) context.printJson({ folder, records: Object.fromEntries(counts) })
    else
      context.print(
        textTable(
          ['RESOURCE', 'RECORDS'],
          counts.map(([name, count]) => [name, String(count)]),
        ),
      )
    context.note(`Written to ${relative(context.io.cwd, folder) || '.'}.`)
  },
})

/** Writes every resource. @returns how many records each has */
async function exportAll(
  { io, signal }: CommandContext,
  db: Db,
  org: number,
  place: { readonly folder: string; readonly gzip: boolean },
): Promise<[string, number][]> {
  const written: [string, number][] = []
  for (const name of resourceNames) {
    const total = await countAllRecords(db, collections[name], org)
    const progress = startProgress({
      stream: io.stderr,
      clock: systemClock,
      label: name,
      unit: 'records',
      total,
    })
    const count = await exportResource(db, org, name, { ...place, signal, onRecords: progress.advance })
    if (total > 0) progress.finish()
    written.push([name, count])
  }
  return written
}

function checkFolder(folder: string, word: string, force: boolean): void {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats && !stats.isDirectory()) throw new CommandFailure(`${word} is a file: name a directory.`)
  if (!stats || readdirSync(folder).length === 0 || force) return
  throw new CommandFailure(`${word} is not empty: name another directory, or write over it with --force.`)
}
