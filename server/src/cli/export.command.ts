import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { collections } from '@muster/contract/api'
import { systemClock } from '../lib/clock.ts'
import { tellAudit } from '../storage/audit-trail.ts'
import { countAllRecords } from '../storage/count.ts'
import { exportResource } from '../transfer/export-files.ts'
import { resourceNames } from '../transfer/resources.ts'
import { toldByCli } from './cli-actor.ts'
import { CommandFailure, defineCommand } from './command.ts'
import { startProgress } from './progress.ts'
import { textTable } from './text-table.ts'
import { organisationNamed, orgOption, withStore } from './with-store.ts'

/** `muster export` */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write all records of an organisation to files of JSON Lines',
  json: true,
  positionals: [{ name: 'DIR', help: 'the directory to write to; made if it is not there', required: true }],
  options: {
    org: orgOption,
    gzip: { type: 'flag', help: 'pack the files: employees.jsonl.gz' },
    force: { type: 'flag', help: 'write to a directory that is not empty, over an export that is there' },
  },
  details: `One file per resource, records as the API shows them, oldest first: what muster import takes. It can run while a
server serves; each file then holds every record that was there all the while. API keys, stolen credentials and enrolment
links are not exported: muster backup keeps those.

Examples:
  muster export /srv/export
  muster export /srv/export-emea --org emea --gzip`,
  async run(context, { options, words: [word = ''] }) {
    const folder = resolve(context.io.cwd, word)
    prepareFolder(folder, word, options.force)
    const counts = await withStore(context.config(), async (db) => {
      const { no } = await organisationNamed(db, options.org)
      // Told before anything is written: a part of the files is an export, too.
      await db.inTransaction((tx) =>
        tellAudit(tx, no, 'DATA_EXPORTED', {
          ...toldByCli(),
          new: { what: 'all records', format: 'JSON', count: 0 },
        }),
      )
      const written: [string, number][] = []
      for (const name of resourceNames) {
        const total = await countAllRecords(db, collections[name], no)
        const progress = startProgress({
          stream: context.io.stderr,
          clock: systemClock,
          label: name,
          unit: 'records',
          total,
        })
        const { gzip } = options
        const { signal } = context
        const count = await exportResource(db, no, name, {
          folder,
          gzip,
          signal,
          onRecords: progress.advance,
        })
        if (total > 0) progress.finish()
        written.push([name, count])
      }
      return written
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

function prepareFolder(folder: string, word: string, force: boolean): void {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats && !stats.isDirectory()) throw new CommandFailure(`${word} is a file: name a directory.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length === 0) return
  if (!force)
    throw new CommandFailure(`${word} is not empty: name another directory, or write over it with --force.`)
  // What is left of an earlier export would be imported together with this one.
  for (const name of resourceNames) {
    for (const ending of ['.jsonl', '.jsonl.gz']) rmSync(join(folder, name + ending), { force: true })
  }
}
