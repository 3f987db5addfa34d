import { basename, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { added } from '../features/audit-changes.ts'
import { systemClock } from '../lib/clock.ts'
import { isStoreInUse } from '../storage/in-use.ts'
import { sqliteFile } from '../storage/open.ts'
import { leaveWriterNote } from '../storage/writer-note.ts'
import { importFile, isForBulk } from '../transfer/import-file.ts'
import { findInputs, type ImportInput } from '../transfer/import-inputs.ts'
import { countLines } from '../transfer/line-reader.ts'
import { resourceNames } from '../transfer/resources.ts'
import { tellCliChange } from './cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand, UsageError } from './command.ts'
import { importFrom, readRemoteOptions } from './import-remote.ts'
import { beginImport, type ImportSession } from './import-session.ts'
import { startProgress } from './progress.ts'
import { organisationNamed, orgOption, withStore } from './with-store.ts'

/** `muster import` */
export const importCommand = defineCommand({
  name: 'import',
  summary: 'Take in records from files of JSON Lines, or from another server',
  json: true,
  positionals: [{ name: 'PATH', help: 'a file, a directory of files, or - for standard input', many: true }],
  options: {
    org: orgOption,
    rejects: {
      type: 'text',
      help: 'file for the lines that were rejected, as JSON Lines',
      placeholder: 'FILE',
    },
    from: {
      type: 'text',
      help: 'pull everything out of another server that speaks this API',
      placeholder: 'URL',
    },
    key: { type: 'text', help: 'API key of that server; read only is enough', placeholder: 'KEY' },
    keyFile: { type: 'text', help: 'file that holds the API key', placeholder: 'FILE' },
    recordsMember: {
      type: 'text',
      help: 'member of its lists that holds the records; found out if left out',
      placeholder: 'NAME',
    },
    ca: {
      type: 'text',
      help: 'certificate to trust, PEM: its own if it is self-signed',
      placeholder: 'FILE',
    },
    insecure: { type: 'flag', help: 'leave its certificate unchecked' },
    skip: { type: 'list', help: 'resource that is not pulled', placeholder: 'RESOURCE' },
  },
  details: `Records are as the API shows them, ids kept, one per line. A file is named after its resource, with .jsonl or
.jsonl.gz behind it: ${resourceNames.join(', ')}.
Lines of usedBy also have an accountId. In files of another name, and from standard input, each line is
{ "resource": …, "record": … }.

A member that may be null may be missing; any other must be there, and no member may be there that the API does not
have. A record whose id is there already is replaced, so an import that was stopped is simply run again. References to
records that are not there are taken in and told. The exit code is 1 if any line was rejected.

With --from, members that this version does not know are left out and told. Records come page by page, as fast as that server lets them; run again, the pull goes on where it was
stopped. The users of accounts take one call per account: --skip usedBy leaves them out.

Examples:
  muster import export/ --rejects rejects.jsonl
  muster import employees.jsonl accounts.jsonl --org emea
  zcat mixed.gz | muster import - --json
  muster import --from https://old.example.com:8443 --key-file key.txt --ca old-cert.pem`,
  async run(context, { options, words }) {
    const { from } = options
    const remote = from === undefined ? undefined : readRemoteOptions(context, { ...options, from })
    if ((remote === undefined) === (words.length === 0)) {
      throw new UsageError(
        'Name what to import: files, a directory or - for standard input; or another server with --from.',
      )
    }
    const inputs = remote ? [] : inputsOf(context, words)
    const rejects = options.rejects === undefined ? undefined : resolve(context.io.cwd, options.rejects)
    const config = context.config()
    const what = remote ? remote.base.origin : words.join(' ')
    const organisation = await withStore(config, async (db) => {
      const named = await organisationNamed(db, options.org)
      // Told before the first record comes: an import that is stopped has changed something, too.
      await db.inTransaction((tx) =>
        tellCliChange(tx, named.no, 'records', [added('import', what)], 'Records are imported.'),
      )
      return named
    })
    const session = beginImport(context, organisation, rejects)
    try {
      for (const input of inputs) await importInput(context, config, session, input)
      return await withStore(config, (db) =>
        remote ? importFrom(context, session, session.on(db), remote) : session.report(db),
      )
    } finally {
      session.close()
    }
  },
})

function inputsOf(context: CommandContext, words: readonly string[]): readonly ImportInput[] {
  const paths = words.map((path) => (path === '-' ? path : resolve(context.io.cwd, path)))
  const { inputs, ignored, mistakes } = findInputs(paths)
  if (mistakes.length > 0) throw new CommandFailure(mistakes.join('\n'))
  for (const path of ignored) context.note(`${path} is left out: it is not named after a resource.`)
  return inputs
}

/** Opens the store for each file anew: whether a server has come in the meantime is known only while it is closed. */
async function importInput(
  context: CommandContext,
  config: Config,
  session: ImportSession,
  input: ImportInput,
): Promise<void> {
  const label = input.path === '-' ? 'standard input' : basename(input.path)
  const total = await countLines(input.path)
  const file = sqliteFile(config.data)
  const alone = config.databaseUrl === undefined && !isStoreInUse(file)
  const sole = alone && isForBulk(input, total)
  const forgetNote = alone
    ? leaveWriterNote(file, `muster import of ${label}`, systemClock.nowMs())
    : undefined
  const progress = startProgress({
    stream: context.io.stderr,
    clock: systemClock,
    label,
    unit: 'records',
    total,
  })
  const options = {
    input,
    signal: context.signal,
    onBatch: progress.advance,
    onBuild: () => context.note(`${label}  all records are read, their indexes are being built …`),
  }
  try {
    await withStore(config, (db) => importFile(session.on(db), options, sole), { sole })
  } finally {
    progress.finish()
    forgetNote?.()
  }
}
