import { scryptSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CollectionName, collections } from '@muster/contract/api/api'
import { type CommandContext, CommandFailure, UsageError } from '../../kernel/cli/command.ts'
import { startProgress } from '../../kernel/cli/progress.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { deleteImportPositions, tuneForBulk } from '../../kernel/store/bulk/import-state.ts'
import { countAllRecords } from '../../kernel/store/count.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { ImportTarget } from './import-lines.ts'
import { type ImportSummary, totalOf } from './import-report.ts'
import type { ImportSession } from './import-session.ts'
import { earlierPull, type Pull, pullPosition, pullResource } from './pull.ts'
import { remotePages } from './remote-pages.ts'
import { openRemote, RemoteError, type RemoteServer, readBase } from './remote-server.ts'
import { resourceNames } from './resources.ts'

/** Options of `muster import --from`, resolved. */
export interface RemoteImport {
  readonly base: URL
  readonly key: string
  readonly recordsMember: string | undefined
  readonly ca: string | undefined
  readonly insecure: boolean
  readonly skip: ReadonlySet<CollectionName>
  /** Files that the options were read from. */
  readonly files: readonly string[]
  /** Key under which the positions of the pull are stored. */
  readonly source: string
  readonly restart: boolean
}

/** Options for another server as typed. */
export interface RemoteOptionValues {
  readonly from: string
  readonly key: string | undefined
  readonly keyFile: string | undefined
  readonly recordsMember: string | undefined
  readonly ca: string | undefined
  readonly insecure: boolean
  readonly skip: ReadonlySet<CollectionName>
  readonly restart: boolean
}

/** @throws UsageError that names the options that have no effect without another server */
export function refuseRemoteOptions(options: Omit<RemoteOptionValues, 'from' | 'skip'>): void {
  const { key, keyFile, recordsMember, ca, insecure, restart } = options
  const remoteOptions = { key, 'key-file': keyFile, 'records-member': recordsMember, ca, insecure, restart }
  const given = Object.entries(remoteOptions).flatMap(([name, value]) => (value ? [`--${name}`] : []))
  if (given.length === 0) return
  const need = given.length === 1 ? 'needs' : 'need'
  throw new UsageError(`${given.join(' and ')} ${need} another server. Name it with --from URL.`)
}

/** @throws UsageError, CommandFailure */
export function readRemoteOptions(context: CommandContext, options: RemoteOptionValues): RemoteImport {
  const base = readBase(options.from)
  if (typeof base === 'string')
    throw new UsageError(`--from is ${JSON.stringify(options.from)}, but ${base}.`)
  if ((options.key === undefined) === (options.keyFile === undefined)) {
    throw new UsageError(
      '--from needs an API key of that server: --key KEY, or --key-file FILE that contains it.',
    )
  }
  if (options.insecure && options.ca !== undefined)
    throw new UsageError('Use either --ca or --insecure, not both.')
  const files: string[] = []
  const read = (option: string, path: string) => {
    const file = resolve(context.io.cwd, path)
    files.push(file)
    return readFileOf(option, file)
  }
  const key = (options.key ?? read('--key-file', options.keyFile ?? '')).trim()
  return {
    base,
    key,
    source: sourceOf(base, key),
    restart: options.restart,
    recordsMember: options.recordsMember,
    ca: options.ca === undefined ? undefined : certificateIn(options.ca, read('--ca', options.ca)),
    insecure: options.insecure,
    skip: options.skip,
    files,
  }
}

function certificateIn(path: string, text: string): string {
  try {
    new X509Certificate(text)
    return text
  } catch (error) {
    throw new CommandFailure(
      `--ca ${path} contains no certificate in PEM form. Name the server's certificate, or that of its authority.`,
      { cause: error },
    )
  }
}

function readFileOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandFailure(
      `${option} ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

/**
 * Identifies the other organization: its key determines which one of the server it is. The key is hashed slowly, because a
 * user-chosen key must not be recoverable from the store.
 */
const sourceOf = (base: URL, key: string): string =>
  `${base.href} ${scryptSync(key, base.href, 16).toString('base64url')}`

/**
 * Finds an earlier pull to resume, and prints a note; with --restart it is forgotten. @returns its summary
 */
export async function findEarlierPull(
  context: CommandContext,
  db: Db,
  org: number,
  { base, source, restart }: RemoteImport,
): Promise<ImportSummary | undefined> {
  if (restart) await db.inTransaction((tx) => deleteImportPositions(tx, org, source))
  const earlier = await earlierPull(db, org, source)
  if (earlier === undefined) return undefined
  const { added, replaced, unchanged, rejected } = totalOf(earlier)
  context.note(
    `Resuming an earlier pull from ${base.origin}, stopped after ${added + replaced + unchanged} records and ${rejected} rejected. Start over with --restart.`,
  )
  return earlier
}

/**
 * Pulls all resources one after the other. @returns the exit code
 */
export async function importFrom(
  context: CommandContext,
  session: ImportSession,
  target: ImportTarget,
  remote: RemoteImport,
): Promise<number> {
  const server = openRemote({
    ...remote,
    signal: context.signal,
    onWait: (reason, ms) =>
      context.note(`${remote.base.host}: ${reason}; continuing in ${Math.ceil(ms / 1000)} s …`),
  })
  try {
    await target.db.inTransaction(tuneForBulk)
    await pullAll(context, target, remote, server)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const hasRecords = Object.keys(session.summary.resources).length > 0
    if (hasRecords) await session.report(target.db)
    const advice = hasRecords
      ? '\nThe records received so far are stored. Run the same command again to resume.'
      : ''
    throw new CommandFailure(error.message + advice, { cause: error })
  } finally {
    server.close()
  }
  return session.report(target.db)
}

/**
 * Maximum number of unknown members in a note. Their names come from another server, so they are bounded and
 * sanitized.
 */
const membersShown = 20
const ignoredNote = (name: CollectionName, members: readonly string[]): string => {
  const shown = members.slice(0, membersShown).map((member) => member.replace(/\p{C}/gu, '�').slice(0, 100))
  const more = members.length > membersShown ? ' and more' : ''
  return `Ignored members of ${name} that this version does not know: ${shown.join(', ')}${more}.`
}

async function pullAll(
  context: CommandContext,
  target: ImportTarget,
  remote: RemoteImport,
  server: RemoteServer,
): Promise<void> {
  const { db, org } = target
  const { source } = remote
  const pages = remotePages(server, remote.recordsMember)
  for (const name of resourceNames.filter((each) => !remote.skip.has(each))) {
    const ignored = new Set<string>()
    const pull: Pull = {
      target: {
        ...target,
        ignoreMember: (_, member) => void (ignored.size <= membersShown && ignored.add(member)),
      },
      pages,
      source,
      signal: context.signal,
      onProgress: () => undefined,
    }
    const { done, count } = await pullPosition(pull, name)
    if (done) continue
    const progress = startProgress({
      stream: context.io.stderr,
      clock: systemClock,
      label: name,
      unit: name === 'usedBy' ? 'accounts' : 'records',
      doneBefore: count,
      total: name === 'usedBy' ? await countAllRecords(db, collections.accounts, org) : undefined,
    })
    try {
      await pullResource({ ...pull, onProgress: progress.advance }, name)
    } finally {
      progress.finish()
      if (ignored.size > 0) context.note(ignoredNote(name, [...ignored]))
    }
  }
  await db.inTransaction((tx) => deleteImportPositions(tx, org, source))
}
