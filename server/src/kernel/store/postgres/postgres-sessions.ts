import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { StoreUnavailableError } from '../sql.ts'
import { postgres } from './postgres-driver.ts'
import { translated } from './postgres-errors.ts'

/** Checks that each connection keeps one session of PostgreSQL, also behind a connection pooler. */
export interface SessionCheck {
  /**
   * Returns undefined if there is nothing to wait for. A check that is due while all is well runs beside.
   *
   * @throws (the promise) StoreUnavailableError if sessions are not kept, or PostgreSQL cannot be reached
   */
  ensure(): Promise<void> | undefined
}

const checks = new Map<string, SessionCheck>()

/**
 * The check of an address: one for all stores of this process.
 *
 * @param everyMs age at which a good outcome is checked again
 */
export function sessionCheck(url: string, everyMs = usualEveryMs): SessionCheck {
  const known = checks.get(url)
  if (known) return known
  const made = makeCheck(url, everyMs)
  checks.set(url, made)
  return made
}

/** Time within which a changed pooler is noticed. */
const usualEveryMs = 60_000
/** While sessions are not kept, many requests share one check. */
const againMs = 1_000

function makeCheck(url: string, everyMs: number): SessionCheck {
  let isKept = false
  let checkedMs = Number.NEGATIVE_INFINITY
  let failure: StoreUnavailableError | undefined
  let running: Promise<void> | undefined

  const check = async (): Promise<void> => {
    try {
      isKept = await keepsSessions(url)
      failure = isKept ? undefined : new StoreUnavailableError(notKept, { reason: notKeptReason })
    } finally {
      checkedMs = performance.now()
      running = undefined
    }
    if (failure) throw failure
  }
  return {
    ensure: () => {
      const ageMs = performance.now() - checkedMs
      if (isKept && ageMs < everyMs) return undefined
      if (failure && ageMs < againMs) return Promise.reject(failure)
      running ??= check()
      if (!isKept) return running
      // A database that cannot be reached now is told by the statements themselves.
      running.catch(() => undefined)
      return undefined
    },
  }
}

const notKept =
  'a connection pooler in front of it gives each transaction or statement another session (PgBouncer: pool_mode = transaction or statement), and Muster needs one session per connection. Set pool_mode = session for this database or user, or let MUSTER_DATABASE_URL name PostgreSQL itself'
const notKeptReason = 'A connection pooler in front of the database does not keep sessions.'

const tooFew =
  'PostgreSQL, or a connection pooler in front of it, gave no second session within 5 seconds. A pooler needs 12 for each process of Muster (PgBouncer: default_pool_size, pool_size)'
const answerWithinMs = 5_000

/** A pooler may give the same session again by luck. */
const rounds = 3

/**
 * Finds out by behavior whether two connections keep a session each. A pooler that shares sessions gives a free one to
 * whoever asks next: then the second connection sees what the first one set, or the first one lacks it while the second one
 * holds a session in a transaction.
 */
export async function keepsSessions(url: string): Promise<boolean> {
  const open = (): Sql =>
    postgres(url, {
      max: 1,
      connect_timeout: 5,
      prepare: false,
      fetch_types: false,
      backoff: () => 0.1,
      onnotice: () => undefined,
      connection: { application_name: 'muster session check' },
    })
  const [one, other] = [open(), open()]
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new StoreUnavailableError(tooFew)), answerWithinMs)
  try {
    return await Promise.race([compare(one, other), late.promise])
  } catch (error) {
    throw translated(error)
  } finally {
    clearTimeout(timer)
    await Promise.all([one, other].map((client) => client.end({ timeout: 0 })))
  }
}

interface Session {
  readonly token: string | null
  readonly pid: number
}

async function compare(one: Sql, other: Sql): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    const token = randomUUID()
    const first = await session(one, `set_config('muster.session', '${token}', false)`)
    const again = await session(one)
    const beside = await session(other)
    if (!isSame(first, again) || beside.pid === first.pid || beside.token === token) return false
    if (!(await begins(other))) return false
    const held = await session(other)
    const meanwhile = await session(one)
    const { command } = await other.unsafe('COMMIT')
    if (held.pid !== beside.pid || !isSame(first, meanwhile) || command !== 'COMMIT') return false
  }
  return true
}

const isSame = (one: Session, other: Session): boolean => one.token === other.token && one.pid === other.pid

async function session(client: Sql, token = "current_setting('muster.session', true)"): Promise<Session> {
  const [row] = await client.unsafe<Session[]>(`SELECT ${token} AS token, pg_backend_pid() AS pid`)
  return row ?? { token: null, pid: 0 }
}

/** A pooler that shares sessions between statements refuses transactions, and may close the connection at once. */
async function begins(client: Sql): Promise<boolean> {
  try {
    await client.unsafe('BEGIN')
    return true
  } catch (error) {
    if (/^(08P01|CONNECTION_CLOSED)$/.test((error as { code?: string }).code ?? '')) return false
    throw error
  }
}
