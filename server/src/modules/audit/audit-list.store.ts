import type { AuditObject } from '@muster/contract/console/console-audit'
import type { Db, Param, Reader } from '../../kernel/store/sql.ts'

/** Reading the audit trail: pages of it, newest first, and all of it, oldest first. */

/** A link of the chain as it is kept. */
export interface AuditLink {
  readonly position: number
  readonly id: string
  readonly timestamp: number
  readonly object: string
  readonly actor: string
  /** The JSON of the event, of which the hash is made. */
  readonly event: string
  readonly previousHash: string
  readonly hash: string
}

/** What a page is narrowed to; all of it must fit. */
export interface AuditFilters {
  /** UNIX seconds, inclusive. */
  readonly timestampAfter?: number | undefined
  /** UNIX seconds, exclusive. */
  readonly timestampBefore?: number | undefined
  /** One of these. */
  readonly objects?: readonly AuditObject[] | undefined
  /** A folded part of who did it. */
  readonly actor?: string | undefined
  /** A text that the event holds, without regard to the case of the letters A to Z. */
  readonly search?: string | undefined
}

/** Where a page begins: behind this. */
export interface AuditPlace {
  readonly timestamp: number
  readonly position: number
}

/** So many rows of the index are looked at for a page, and so many whole events for a text. */
const walkedRows = 50_000
const walkedEvents = 5_000

const columns =
  'e.position, e.id, e.timestamp, e.object, e.actor, e.event, e.previous_hash AS "previousHash", e.hash'

/**
 * A page of an organization's trail, newest first. It may have fewer events than asked for, or none, and yet go on: one
 * page costs no more than a walk over so many rows.
 *
 * @returns the events, and where the next page begins; undefined at the end
 */
export async function listAudit(
  db: Db,
  org: number,
  filters: AuditFilters,
  limit: number,
  place?: AuditPlace,
): Promise<{ links: AuditLink[]; next: AuditPlace | undefined }> {
  const tests = testsOf(db, filters)
  const filtered = tests.length > 0
  const walked = !filtered ? limit + 1 : filters.search === undefined ? walkedRows : walkedEvents
  const reader = filtered ? db.slow : db
  const walk = walkOf(org, filters, place)
  const where = filtered ? `WHERE ${tests.map(({ sql }) => sql).join(' AND ')}` : ''
  // Outer, so that the walk leads: what is joined to it is found by its key.
  const links = await reader.all<AuditLink>(
    `SELECT ${columns} FROM (SELECT position, timestamp, object, actor FROM ${walk.sql} LIMIT ?) AS i
     LEFT JOIN audit_events AS e ON ${reader.dialect.auditAt('i.position')}
     ${where} ORDER BY i.timestamp DESC, i.position DESC LIMIT ?`,
    [...walk.params, walked, org, ...tests.flatMap(({ params }) => params), limit + 1],
  )
  if (links.length > limit) {
    links.length = limit
    return { links, next: links.at(-1) }
  }
  return { links, next: filtered ? await endOf(reader, walk, walked) : undefined }
}

interface Fragment {
  readonly sql: string
  readonly params: readonly Param[]
}

/** The rows of the index that a page looks at, in its order. */
function walkOf(
  org: number,
  { timestampAfter = 0, timestampBefore }: AuditFilters,
  place?: AuditPlace,
): Fragment {
  const below = place ?? { timestamp: timestampBefore ?? Number.MAX_SAFE_INTEGER, position: 0 }
  return {
    sql: `audit_events WHERE org = ? AND timestamp >= ? AND (timestamp, position) < (?, ?)
     ORDER BY timestamp DESC, position DESC`,
    params: [org, timestampAfter, below.timestamp, below.position],
  }
}

function testsOf({ dialect }: Db, { objects, actor, search }: AuditFilters): Fragment[] {
  const tests: Fragment[] = []
  if (objects) tests.push({ sql: `i.object IN (${objects.map(() => '?').join(', ')})`, params: objects })
  if (actor !== undefined) tests.push({ sql: dialect.contains('i.actor'), params: [actor] })
  if (search !== undefined) {
    // As it stands in JSON; both stores fold the letters A to Z and no others.
    const text = JSON.stringify(search).slice(1, -1)
    const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    tests.push({ sql: dialect.contains('lower(e.event)'), params: [folded] })
  }
  return tests
}

/** The last of the rows that were looked at; undefined if they were all there are. */
const endOf = (reader: Reader, { sql, params }: Fragment, walked: number): Promise<AuditPlace | undefined> =>
  reader.get<AuditPlace>(`SELECT timestamp, position FROM ${sql} LIMIT 1 OFFSET ?`, [...params, walked - 1])

/** So many links are read at once when the whole chain is. */
const readAtOnce = 500

/** The links of an organization's chain, oldest first, some at a time. */
export async function* walkAudit(reader: Reader, org: number): AsyncGenerator<readonly AuditLink[]> {
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const { where, params, order } = reader.dialect.auditScan(org, last)
    const links = await reader.all<AuditLink>(
      `SELECT ${columns} FROM audit_events AS e WHERE ${where} ORDER BY ${order} LIMIT ?`,
      [...params, readAtOnce],
    )
    const end = links.at(-1)
    if (!end) return
    yield links
    last = end.position
  }
}

/** The end of an organization's chain, as it is kept beside it; undefined if nothing was ever told. */
export const auditHead = (
  reader: Reader,
  org: number,
): Promise<{ position: number; hash: string } | undefined> =>
  reader.get('SELECT position, hash FROM audit_heads WHERE org = ?', [org])
