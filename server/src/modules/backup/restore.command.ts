import { relative, resolve } from 'node:path'
import { shellWord } from '@muster/contract/text/shell-word'
import { added } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange, forEachOrganization } from '../../kernel/cli/cli-actor.ts'
import { defineCommand } from '../../kernel/cli/command.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { masterKeyFile } from '../../kernel/store/lifecycle/master-key.ts'
import { explainBackup } from './backup.command.ts'
import { type RestoredKey, restoreBackup } from './restore.store.ts'

/** `muster restore` */
export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Restore a backup to an empty data folder or an empty PostgreSQL',
  json: true,
  positionals: [{ name: 'FILE', help: 'the file that muster backup wrote', required: true }],
  options: {
    force: { type: 'flag', help: 'replace all existing data' },
  },
  details: `Stop all servers of the store first. A backup of either store can be restored to either store.

Examples:
  muster restore /srv/backup/muster-2026-01-31.db --data /var/lib/muster
  MUSTER_DATABASE_URL=postgres://muster@db.example.com/muster muster restore nightly.db`,
  async run(context, { options, words: [word = ''] }) {
    const config = context.config()
    const target = {
      dataDir: config.data,
      databaseUrl: config.databaseUrl,
      secretKey: config.secretKey,
      force: options.force,
    }
    const masterKey = await restoreBackup(
      resolve(context.io.cwd, word),
      target,
      unixSeconds(systemClock),
    ).catch(explainBackup)
    await withStore(config, (db) =>
      db.inTransaction((tx) => {
        const changes = [added('backup', word)]
        const words = 'The whole store was replaced by a backup.'
        return forEachOrganization(tx, (org) => auditCliChange(tx, org, 'store', changes, words))
      }),
    )
    const data = relative(context.io.cwd, config.data) || '.'
    if (context.json)
      context.printJson({ data: config.data, postgres: config.databaseUrl !== undefined, masterKey })
    else
      context.print(
        `${word} was restored to ${config.databaseUrl === undefined ? data : 'the PostgreSQL of MUSTER_DATABASE_URL'}.`,
      )
    const named = data === 'data' ? '' : ` --data ${shellWord(data)}`
    context.note(
      `${keyNotes[masterKey](masterKeyFile(data))}\nNext: muster doctor${named}, then muster serve${named}. API keys work as they did.`,
    )
  },
})

const keyNotes: Readonly<Record<RestoredKey, (file: string) => string>> = {
  written: (file) => `The master key was written to ${file}.`,
  there: (file) => `The master key is already in ${file}.`,
  set: () => 'MUSTER_SECRET_KEY provides the master key.',
  missing: (file) =>
    `The backup contains no master key. Put the key into ${file} before the first start, or set MUSTER_SECRET_KEY.`,
  none: () => 'There is no master key yet. The first start creates it.',
}
