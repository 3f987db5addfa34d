import { randomUUID } from 'node:crypto'
import postgres from '../../../../vendor/postgres/src/index.js'
import { type Reader, StoreUnavailableError } from '../sql.ts'
import { translated } from './postgres-errors.ts'

/** Checks that each connection keeps one PostgreSQL session, also behind a connection pooler. */
export interface SessionCheck {
  /**
   * Returns undefined if the last check passed. A check that is due then runs in the background.
   *
   * @throws (rejects) StoreUnavailableError if sessions are not kept, or PostgreSQL cannot be reached
   */
  ensure(): Promise<void> | undefined
}

const checks = new Map<string, SessionCheck>()

/**
 * Returns the check for a URL, which all stores of this process share.
 *
 * @param everyMs interval between checks while they pass
 */
export function sessionCheck(url: string, everyMs = defaultIntervalMs): SessionCheck {
  const known = checks.get(url)
  if (known) return known
  const check = createCheck(url, everyMs)
  checks.set(url, check)
  return check
}

/** Time within which a reconfigured pooler is noticed. */
const defaultIntervalMs = 60_000
/** Interval between checks while they fail; many requests share one. */
const retryMs = 1_000

function createCheck(url: string, everyMs: number): SessionCheck {
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
      if (failure && ageMs < retryMs) return Promise.reject(failure)
      running ??= check()
      if (!isKept) return running
      // If the database is unreachable, the statements themselves report it.
      running.catch(() => undefined)
      return undefined
    },
  }
}

const notKept =
  'a connection pooler in front of it assigns sessions per transaction or statement (PgBouncer: pool_mode = transaction or statement), but Muster needs one session per connection. Set pool_mode = session for this database or user, or point MUSTER_DATABASE_URL at PostgreSQL itself'
const notKeptReason = 'A connection pooler in front of the database does not keep sessions.'

const tooFew =
  'PostgreSQL, or a connection pooler in front of it, did not provide a second session within 5 seconds. A pooler needs at least 12 sessions for each Muster process (PgBouncer: default_pool_size, pool_size)'
const answerWithinMs = 5_000

/** A pooler may assign the same session by chance, so the comparison is repeated. */
const rounds = 3

/**
 * Returns true if two connections keep one session each, judged by their behavior. A pooler that shares sessions assigns a
 * free one to the next statement: then the second connection sees a setting of the first one, or the first one lacks it while
 * the second one holds a session in a transaction.
 */
export async function keepsSessions(url: string): Promise<boolean> {
  const open = (): postgres.Sql =>
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
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new StoreUnavailableError(tooFew)), answerWithinMs)
  try {
    return await Promise.race([compare(one, other), timeout.promise])
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

async function compare(one: postgres.Sql, other: postgres.Sql): Promise<boolean> {
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

async function session(
  client: postgres.Sql,
  token = "current_setting('muster.session', true)",
): Promise<Session> {
  const [row] = await client.unsafe<Session[]>(`SELECT ${token} AS token, pg_backend_pid() AS pid`)
  return row ?? { token: null, pid: 0 }
}

/** Returns false if a transaction is refused. A pooler in statement mode does so, and may close the connection. */
async function begins(client: postgres.Sql): Promise<boolean> {
  try {
    await client.unsafe('BEGIN')
    return true
  } catch (error) {
    if (/^(08P01|CONNECTION_CLOSED)$/.test((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

/** Returns true if another Muster process is connected to the database. */
export async function hasOtherServers(reader: Reader): Promise<boolean> {
  const row = await reader.get<{ count: number }>(
    "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster' AND pid <> pg_backend_pid()",
  )
  return (row?.count ?? 0) > 0
}
