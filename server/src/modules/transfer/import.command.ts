import { basename, resolve } from 'node:path'
import type { CollectionName } from '@muster/contract/api/api'
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
import { type ImportSession, startImport } from './import-session.ts'
import { isResource, resourceNames } from './resources.ts'

/** `muster import` */
export const importCommand = defineCommand({
  name: 'import',
  summary: 'Import records from JSON Lines files or from another server',
  json: true,
  positionals: [{ name: 'PATH', help: 'file, directory of files, or - for standard input', many: true }],
  options: {
    org: orgOption,
    rejects: {
      type: 'text',
      help: 'file for rejected lines, as JSON Lines; must be missing or empty',
      placeholder: 'FILE',
    },
    from: {
      type: 'text',
      help: 'import everything from another server with this API',
      placeholder: 'URL',
    },
    key: { type: 'text', help: 'API key of that server; read-only is enough', placeholder: 'KEY' },
    keyFile: { type: 'text', help: 'file that contains the API key', placeholder: 'FILE' },
    recordsMember: {
      type: 'text',
      help: 'member of its lists that contains the records; detected by default',
      placeholder: 'NAME',
    },
    ca: {
      type: 'text',
      help: 'certificate to trust, in PEM; its own if it is self-signed',
      placeholder: 'FILE',
    },
    insecure: { type: 'flag', help: 'do not verify its certificate' },
    restart: { type: 'flag', help: 'pull everything again instead of resuming an earlier pull' },
    skip: {
      type: 'list',
      help: 'resource to leave out of a directory or a pull',
      placeholder: 'RESOURCE',
    },
  },
  details: `Each line is a record in the format of the API, including its ID. A file is named after its resource, followed by .jsonl
  or .jsonl.gz: ${resourceNames.join(', ')}.
  Lines of usedBy also have an accountId. In files with another name, and on standard input, each line is
  { "resource": …, "record": … }.
  Nullable members may be missing; all others are required, and unknown members are rejected. A record with an existing ID
  replaces that record, so a stopped import can simply be run again. References to missing records and invalid e-mail
  addresses of employees are imported with a warning. A file that breaks off is imported as far as it can be read.
  The exit code is 1 if a line was rejected or a file could not be read to its end.
  With --from, unknown members are ignored with a note. Records are pulled page by page, at the rate that the server allows.
  Run again with the same key to resume a stopped pull; rejects and counts continue. --restart starts over. The users of
  accounts need one request per account; leave them out with --skip usedBy.

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
    const source = remote ? remote.base.origin : words.join(' ')
    const { organization, rejects, earlier } = await withStore(config, async (db) => {
      const organization = await organizationNamed(db, options.org)
      const earlier = remote && (await findEarlierPull(context, db, organization.no, remote))
      const read = remote?.files ?? inputs.map(({ path }) => path)
      const rejects = openRejects(context, options.rejects, earlier !== undefined, read)
      // Record the import before the first record: a stopped import has made changes, too.
      await db.inTransaction((tx) =>
        auditCliChange(
          tx,
          organization.no,
          'records',
          [added('import', source)],
          'An import of records was started',
        ),
      )
      return { organization, rejects, earlier }
    })
    const session = startImport(context, organization, rejects, earlier)
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
  const unknown = names.find((name) => !isResource(name))
  if (unknown === undefined) return new Set(names.filter(isResource))
  throw new UsageError(
    `--skip is ${JSON.stringify(unknown)}, but must be one of ${resourceNames.join(', ')}.`,
  )
}

/** Returns the server to pull from; undefined if files are named. */
function remoteOf(
  context: CommandContext,
  options: Omit<RemoteOptionValues, 'from'> & { readonly from: string | undefined },
  words: readonly string[],
): RemoteImport | undefined {
  const { from } = options
  const remote = from === undefined ? undefined : readRemoteOptions(context, { ...options, from })
  if ((remote === undefined) === (words.length === 0)) {
    throw new UsageError(
      'Name what to import: files, a directory, - for standard input, or another server with --from.',
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
  if (words.includes('')) throw new UsageError('A path is empty. The current directory is "." instead.')
  const pathOf = (word: string) => (word === '-' ? word : resolve(context.io.cwd, word))
  const { inputs, skipped, mistakes } = findInputs(words.map(pathOf), skip)
  if (mistakes.length > 0) throw new CommandFailure(mistakes.join('\n'))
  const single = words.find((word) => inputs.some(({ path }) => path === pathOf(word)))
  if (skip.size > 0 && single !== undefined)
    throw new UsageError(`--skip applies to directories, but ${single} is a file.`)
  for (const { path, reason } of skipped) context.note(`Skipped ${path}: ${reason}.`)
  return inputs
}

/**
 * Imports a file. Reopens the store for each: only a closed store shows whether a server has been started
 * meanwhile.
 */
async function importInput(
  context: CommandContext,
  config: Config,
  session: ImportSession,
  input: ImportInput,
): Promise<void> {
  const label = input.path === '-' ? 'standard input' : basename(input.path)
  // An unreadable file is reported when it is read.
  const total = await countLines(input.path).catch(() => undefined)
  const file = sqliteFile(config.data)
  const isUnused = config.databaseUrl === undefined && !isStoreInUse(file)
  const inBulk = isUnused && isForBulk(input, total)
  const removeNote = isUnused
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
    onBuild: () => context.note(`${label}  all records are read; building indexes …`),
  }
  try {
    await withStore(config, (db) => importFile(session.on(db), options, inBulk), {
      mode: inBulk ? 'bulk' : 'shared',
    })
  } finally {
    progress.finish()
    removeNote?.()
  }
}
