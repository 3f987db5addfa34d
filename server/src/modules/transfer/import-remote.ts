import { scryptSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CollectionName, collections } from '@muster/contract/api'
import { type CommandContext, CommandFailure, UsageError } from '../../kernel/cli/command.ts'
import { startProgress } from '../../kernel/cli/progress.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { countAllRecords } from '../../kernel/store/count.ts'
import { deleteImportPositions, tuneForBulk } from '../../kernel/store/import-state.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { ImportTarget } from './import-lines.ts'
import { type ImportSummary, totalOf } from './import-report.ts'
import type { ImportSession } from './import-session.ts'
import { earlierPull, type Pull, pullPosition, pullResource } from './pull.ts'
import { remotePages } from './remote-pages.ts'
import { openRemote, RemoteError, type RemoteServer, readBase } from './remote-server.ts'
import { resourceNames } from './resources.ts'

/** What `muster import --from` was given. */
export interface RemoteImport {
  readonly base: URL
  readonly key: string
  readonly recordsMember: string | undefined
  readonly ca: string | undefined
  readonly insecure: boolean
  readonly skip: ReadonlySet<CollectionName>
  /** The files that these came out of. */
  readonly files: readonly string[]
  /** Names what is pulled, among the places that are kept for pulls to go on. */
  readonly source: string
  readonly restart: boolean
}

/** The options of the command that are about another server, as they were typed. */
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

/** @throws UsageError that names the options that would do nothing where no other server is read */
export function refuseRemoteOptions(options: Omit<RemoteOptionValues, 'from' | 'skip'>): void {
  const { key, keyFile, recordsMember, ca, insecure, restart } = options
  const values = { key, 'key-file': keyFile, 'records-member': recordsMember, ca, insecure, restart }
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [`--${name}`] : []))
  if (given.length === 0) return
  const are = given.length === 1 ? 'is' : 'are'
  throw new UsageError(`${given.join(' and ')} ${are} about another server: name it with --from URL.`)
}

/** @throws UsageError, CommandFailure that say what would be right */
export function readRemoteOptions(context: CommandContext, options: RemoteOptionValues): RemoteImport {
  const base = readBase(options.from)
  if (typeof base === 'string')
    throw new UsageError(`--from is ${JSON.stringify(options.from)}, but ${base}.`)
  if ((options.key === undefined) === (options.keyFile === undefined)) {
    throw new UsageError(
      '--from needs an API key of that server: --key KEY, or --key-file FILE that holds it.',
    )
  }
  if (options.insecure && options.ca !== undefined) throw new UsageError('Give --ca or --insecure, not both.')
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
      `--ca ${path} holds no certificate in PEM form: name the certificate that the server shows, or that of its authority.`,
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
 * The other organization: the key says which one of that server it is. It is hashed slowly, as the store shall not tell a
 * key that somebody has chosen.
 */
const sourceOf = (base: URL, key: string): string =>
  `${base.href} ${scryptSync(key, base.href, 16).toString('base64url')}`

/** Finds out, and tells, whether an earlier pull is to go on; with --restart it is forgotten. @returns what it has done */
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
    `Going on where an earlier pull from ${base.origin} was stopped, after ${added + replaced + unchanged} records and ${rejected} rejected: --restart begins anew.`,
  )
  return earlier
}

/** Pulls all resources, one after the other. @returns the exit code */
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
      context.note(`${remote.base.host}: ${reason}; going on in ${Math.ceil(ms / 1000)} s …`),
  })
  try {
    await target.db.inTransaction(tuneForBulk)
    await pullAll(context, target, remote, server)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const came = Object.keys(session.summary.resources).length > 0
    if (came) await session.report(target.db)
    const kept = came ? '\nWhat has come is kept. Run the same command again to go on.' : ''
    throw new CommandFailure(error.message + kept, { cause: error })
  } finally {
    server.close()
  }
  return session.report(target.db)
}

/** A newer version may have more members; names of another server's making are told in bounds. */
const membersTold = 20
const leftOutNote = (name: CollectionName, members: readonly string[]): string => {
  const told = members.slice(0, membersTold).map((member) => member.replace(/\p{C}/gu, '�').slice(0, 100))
  const more = members.length > membersTold ? ' and more' : ''
  return `${name} have members that this version does not know, which are left out: ${told.join(', ')}${more}.`
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
    const leftOut = new Set<string>()
    const before: Pull = {
      target: {
        ...target,
        leaveOut: (_, member) => void (leftOut.size <= membersTold && leftOut.add(member)),
      },
      pages,
      source,
      signal: context.signal,
      onProgress: () => undefined,
    }
    const { done, count } = await pullPosition(before, name)
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
      await pullResource({ ...before, onProgress: progress.advance }, name)
    } finally {
      progress.finish()
      if (leftOut.size > 0) context.note(leftOutNote(name, [...leftOut]))
    }
  }
  await db.inTransaction((tx) => deleteImportPositions(tx, org, source))
}
