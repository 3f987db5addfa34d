import { basename, resolve } from 'node:path'
import type { CollectionName } from '@muster/contract/api'
import { added } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { startProgress } from '../../kernel/cli/progress.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import type { Config } from '../../kernel/config/config.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { countLines } from '../../kernel/lib/line-reader.ts'
import { isStoreInUse } from '../../kernel/store/lifecycle/in-use.ts'
import { sqliteFile } from '../../kernel/store/lifecycle/open.ts'
import { leaveWriterNote } from '../../kernel/store/lifecycle/writer-note.ts'
import { importFile, isForBulk } from './import-file.ts'
import { findInputs, type ImportInput } from './import-inputs.ts'
import { openRejects } from './import-rejects.ts'
import {
  findEarlierPull,
  importFrom,
  type RemoteImport,
  type RemoteOptionValues,
  readRemoteOptions,
  refuseRemoteOptions,
} from './import-remote.ts'
import { beginImport, type ImportSession } from './import-session.ts'
import { isResource, resourceNames } from './resources.ts'

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
      help: 'file for the lines that were rejected, as JSON Lines; not there yet, or empty',
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
    restart: { type: 'flag', help: 'pull everything again, not from where an earlier pull was stopped' },
    skip: {
      type: 'list',
      help: 'resource that is left out of a directory or a pull',
      placeholder: 'RESOURCE',
    },
  },
  details: `Records are as the API shows them, ids kept, one per line. A file is named after its resource, with .jsonl or
.jsonl.gz behind it: ${resourceNames.join(', ')}.
Lines of usedBy also have an accountId. In files of another name, and from standard input, each line is
{ "resource": …, "record": … }.

A member that may be null may be missing; any other must be there, and no member may be there that the API does not
have. A record whose id is there already is replaced, so an import that was stopped is simply run again. References to
records that are not there, and addresses of employees that are none, are taken in and told. A file that breaks off is
taken in as far as it can be read, and told.
The exit code is 1 if any line was rejected, or any file could not be read to its end.

With --from, members that this version does not know are left out and told. Records come page by page, as fast as that
server lets them. Run again with the same key, the pull goes on where it was stopped, adds to the file of rejects and
counts on; --restart begins anew. The users of accounts take one call per account: --skip usedBy leaves them out.

Examples:
  muster import export/ --rejects rejects.jsonl
  muster import employees.jsonl accounts.jsonl --org emea
  zcat mixed.gz | muster import - --json
  muster import --from https://old.example.com:8443 --key-file key.txt --ca old-cert.pem`,
  async run(context, { options, words }) {
    const skip = readSkip(options.skip)
    const remote = remoteOf(context, { ...options, skip }, words)
    const inputs = remote ? [] : inputsOf(context, words, skip)
    const config = context.config()
    const what = remote ? remote.base.origin : words.join(' ')
    const { organization, rejects, earlier } = await withStore(config, async (db) => {
      const named = await organizationNamed(db, options.org)
      const earlier = remote && (await findEarlierPull(context, db, named.no, remote))
      const read = remote?.files ?? inputs.map(({ path }) => path)
      const opened = openRejects(context, options.rejects, earlier !== undefined, read)
      // Told before the first record comes: an import that is stopped has changed something, too.
      await db.inTransaction((tx) =>
        auditCliChange(tx, named.no, 'records', [added('import', what)], 'An import of records was started'),
      )
      return { organization: named, rejects: opened, earlier }
    })
    const session = beginImport(context, organization, rejects, earlier)
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

function readSkip(names: readonly string[]): ReadonlySet<CollectionName> {
  const strange = names.find((name) => !isResource(name))
  if (strange === undefined) return new Set(names.filter(isResource))
  throw new UsageError(
    `--skip is ${JSON.stringify(strange)}, but must be one of ${resourceNames.join(', ')}.`,
  )
}

/** The other server to pull from; undefined if files are named. */
function remoteOf(
  context: CommandContext,
  options: Omit<RemoteOptionValues, 'from'> & { readonly from: string | undefined },
  words: readonly string[],
): RemoteImport | undefined {
  const { from } = options
  const remote = from === undefined ? undefined : readRemoteOptions(context, { ...options, from })
  if ((remote === undefined) === (words.length === 0)) {
    throw new UsageError(
      'Name what to import: files, a directory or - for standard input; or another server with --from.',
    )
  }
  if (remote === undefined) refuseRemoteOptions(options)
  return remote
}

function inputsOf(
  context: CommandContext,
  words: readonly string[],
  skip: ReadonlySet<CollectionName>,
): readonly ImportInput[] {
  if (words.includes('')) throw new UsageError('A path is empty: . is the current directory.')
  const pathOf = (word: string) => (word === '-' ? word : resolve(context.io.cwd, word))
  const { inputs, leftOut, mistakes } = findInputs(words.map(pathOf), skip)
  if (mistakes.length > 0) throw new CommandFailure(mistakes.join('\n'))
  const single = words.find((word) => inputs.some(({ path }) => path === pathOf(word)))
  if (skip.size > 0 && single !== undefined)
    throw new UsageError(`--skip leaves files of a directory out, but ${single} is none.`)
  for (const { path, reason } of leftOut) context.note(`${path} is left out: ${reason}.`)
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
  // What cannot be read is told when it is read.
  const total = await countLines(input.path).catch(() => undefined)
  const file = sqliteFile(config.data)
  const alone = config.databaseUrl === undefined && !isStoreInUse(file)
  const inBulk = alone && isForBulk(input, total)
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
    await withStore(config, (db) => importFile(session.on(db), options, inBulk), {
      mode: inBulk ? 'bulk' : 'shared',
    })
  } finally {
    progress.finish()
    forgetNote?.()
  }
}
