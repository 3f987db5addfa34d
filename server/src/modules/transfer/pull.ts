import { type CollectionName, collections, operations } from '@muster/contract/api/api'
import type { Operation } from '@muster/contract/api/operation'
import type { Line } from '../../kernel/lib/line-reader.ts'
import { importPosition, saveImportPosition } from '../../kernel/store/bulk/import-state.ts'
import { idsAfter } from '../../kernel/store/scan-records.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { type ImportTarget, importLines } from './import-lines.ts'
import { countsWith, type ImportSummary, newSummary, noCounts, type ResourceCounts } from './import-report.ts'
import { RefusedError, type remotePages } from './remote-pages.ts'
import { resourceNames } from './resources.ts'

/** Pull of a whole organization from another server. */
export interface Pull {
  readonly target: ImportTarget
  readonly pages: ReturnType<typeof remotePages>
  /** Key of the other organization among the stored positions. */
  readonly source: string
  readonly signal: AbortSignal
  /** Called with the number of further records of a list, or of accounts whose users were read. */
  onProgress(count: number): void
}

/** Progress of a resource, stored with every batch. */
interface Position {
  readonly done: boolean
  /** Token of the next page; for users of accounts, the sequence of the last account. */
  readonly next: string | null
  readonly count: number
  /** Outcomes of the records so far. */
  readonly counts: ResourceCounts
}

const start = (): Position => ({ done: false, next: null, count: 0, counts: noCounts() })

/** Returns the path of a resource's list. */
const listPath = (name: CollectionName): string =>
  Object.values<Operation>(operations).find(
    (operation) => operation.kind === 'list' && operation.collection === collections[name],
  )?.path ?? `/v1/${name}`

/** Returns the progress of a resource. */
export async function pullPosition(
  { target: { db, org }, source }: Pick<Pull, 'target' | 'source'>,
  name: CollectionName,
): Promise<Position> {
  return (await storedPosition(db, org, source, name)) ?? start()
}

async function storedPosition(
  reader: Reader,
  org: number,
  source: string,
  name: CollectionName,
): Promise<Position | undefined> {
  const stored = await importPosition(reader, org, source, name)
  return stored === undefined ? undefined : (JSON.parse(stored) as Position)
}

/** Returns the summary of a stopped pull; undefined if there is none to resume. */
export async function earlierPull(
  reader: Reader,
  org: number,
  source: string,
): Promise<ImportSummary | undefined> {
  const summary = newSummary()
  let found = false
  for (const name of resourceNames) {
    const position = await storedPosition(reader, org, source, name)
    if (position === undefined) continue
    found = true
    if (Object.values(position.counts).some((count) => count > 0)) summary.resources[name] = position.counts
  }
  return found ? summary : undefined
}

/**
 * Pulls a resource, from the position of an earlier pull.
 *
 * @throws RemoteError when the other server cannot be read; earlier batches stay stored
 */
export async function pullResource(pull: Pull, name: CollectionName): Promise<void> {
  const position = await pullPosition(pull, name)
  if (position.done) return
  if (name === 'usedBy') return pullAccountUsers(pull, position)
  try {
    await pullList(pull, name, position)
  } catch (error) {
    // The other server no longer accepts the token: read all pages again, which is harmless.
    if (!(error instanceof RefusedError && error.status === 400 && position.next !== null)) throw error
    pull.target.summary.resources[name] = noCounts()
    await pullList(pull, name, start())
  }
}

async function pullList(pull: Pull, name: CollectionName, { next, count }: Position): Promise<void> {
  const path = listPath(name)
  let token = next
  let seen = count
  do {
    pull.signal.throwIfAborted()
    const page = await pull.pages.page(path, token)
    const merged = name === 'employees' ? await mergedEmployees(pull, page.records) : []
    const records = [...page.records, ...merged]
    const position = { done: page.nextToken === null, next: page.nextToken, count: seen + records.length }
    await store(pull, name, path, linesOf(records, seen), position)
    seen = position.count
    token = page.nextToken
    pull.onProgress(records.length)
  } while (token !== null)
}

/** Reads the employees merged into others, which lists leave out. */
async function mergedEmployees(pull: Pull, employees: readonly unknown[]): Promise<unknown[]> {
  const found: unknown[] = []
  for (const employee of employees as readonly { id?: unknown; secondaryEmails?: unknown }[]) {
    const { id, secondaryEmails } = employee ?? {}
    if (typeof id !== 'string' || !Array.isArray(secondaryEmails) || secondaryEmails.length === 0) continue
    let token: string | null = null
    do {
      const page = await pull.pages.page(
        `${listPath('employees')}?mergedIntoId=${encodeURIComponent(id)}`,
        token,
      )
      found.push(...page.records)
      token = page.nextToken
    } while (token !== null)
  }
  return found
}

/** Reads the users of each account with a separate request, because there is no list of all users. */
async function pullAccountUsers(pull: Pull, { next, count }: Position): Promise<void> {
  const { db, org } = pull.target
  let after = next === null ? -1 : Number(next)
  let seen = count
  for (;;) {
    const accounts = await idsAfter(db, collections.accounts, org, after)
    const last = accounts.at(-1)
    if (last === undefined) break
    const records: unknown[] = []
    for (const { id } of accounts) {
      pull.signal.throwIfAborted()
      records.push(...(await usersOf(pull, id)))
      pull.onProgress(1)
    }
    after = last.seq
    const position = { done: false, next: String(after), count: seen + accounts.length }
    await store(pull, 'usedBy', '/v1/accounts/{id}/usedBy', linesOf(records, seen), position)
    seen = position.count
  }
  await store(pull, 'usedBy', '/v1/accounts/{id}/usedBy', [], { done: true, next: null, count: seen })
}

async function usersOf({ pages }: Pull, accountId: string): Promise<unknown[]> {
  const users: unknown[] = []
  let token: string | null = null
  try {
    do {
      const page = await pages.page(`/v1/accounts/${encodeURIComponent(accountId)}/usedBy`, token)
      users.push(...page.records.map((record) => ({ accountId, ...(record as object) })))
      token = page.nextToken
    } while (token !== null)
  } catch (error) {
    // The account was removed in the meantime, or exists only here.
    if (!(error instanceof RefusedError && error.status === 404)) throw error
  }
  return users
}

const linesOf = (records: readonly unknown[], before: number): Line[] =>
  records.map((record, at) => ({ number: before + at + 1, text: JSON.stringify(record) }))

const store = (
  { target, source }: Pull,
  name: CollectionName,
  file: string,
  lines: readonly Line[],
  position: Omit<Position, 'counts'>,
) =>
  importLines(target, file, name, lines, (tx, outcomes) => {
    // Stored with the records, so a resumed pull reports complete counts.
    const counts = outcomes.reduce(countsWith, target.summary.resources[name] ?? noCounts())
    return saveImportPosition(tx, target.org, source, name, JSON.stringify({ ...position, counts }))
  })
