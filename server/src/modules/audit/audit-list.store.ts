import type { AuditObject } from '@muster/contract/console/console-audit'
import type { Db, Param, Reader } from '../../kernel/store/sql.ts'

/** A stored link of the chain. */
export interface AuditLink {
  readonly position: number
  readonly id: string
  readonly timestamp: number
  readonly object: string
  readonly actor: string
  /** JSON of the event, over which the hash is computed. */
  readonly event: string
  readonly previousHash: string
  readonly hash: string
}

/** Filters of a page, combined with AND. */
export interface AuditFilters {
  /** UNIX seconds, inclusive. */
  readonly timestampAfter?: number | undefined
  /** UNIX seconds, exclusive. */
  readonly timestampBefore?: number | undefined
  readonly objects?: readonly AuditObject[] | undefined
  /** Case-folded part of the actor's name. */
  readonly actor?: string | undefined
  /** Substring of the event, ignoring the case of A to Z. */
  readonly search?: string | undefined
}

/** Position in the list after which a page starts. */
export interface AuditCursor {
  readonly timestamp: number
  readonly position: number
}

/** Maximum number of index rows scanned per page, and of events when searching for text. */
const maxScannedRows = 50_000
const maxScannedEvents = 5_000

const columns =
  'e.position, e.id, e.timestamp, e.object, e.actor, e.event, e.previous_hash AS "previousHash", e.hash'

/**
 * Lists a page of the audit trail, newest first. A page can be short or empty without being the last, since the number of
 * scanned rows is limited.
 *
 * @returns the events and the cursor of the next page; undefined at the end
 */
export async function listAudit(
  db: Db,
  org: number,
  filters: AuditFilters,
  limit: number,
  cursor?: AuditCursor,
): Promise<{ links: AuditLink[]; next: AuditCursor | undefined }> {
  const conditions = conditionsOf(db, filters)
  const filtered = conditions.length > 0
  const scanLimit = !filtered ? limit + 1 : filters.search === undefined ? maxScannedRows : maxScannedEvents
  const reader = filtered ? db.slow : db
  const scan = scanOf(org, filters, cursor)
  const where = filtered ? `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : ''
  // An outer join forces the planner to start with the index scan and to look up events by key.
  const links = await reader.all<AuditLink>(
    `SELECT ${columns} FROM (SELECT position, timestamp, object, actor FROM ${scan.sql} LIMIT ?) AS i
     LEFT JOIN audit_events AS e ON ${reader.dialect.auditAt('i.position')}
     ${where} ORDER BY i.timestamp DESC, i.position DESC LIMIT ?`,
    [...scan.params, scanLimit, org, ...conditions.flatMap(({ params }) => params), limit + 1],
  )
  if (links.length > limit) {
    links.length = limit
    return { links, next: links.at(-1) }
  }
  return { links, next: filtered ? await endOf(reader, scan, scanLimit) : undefined }
}

interface Fragment {
  readonly sql: string
  readonly params: readonly Param[]
}

/** Returns the index scan of a page. */
function scanOf(
  org: number,
  { timestampAfter = 0, timestampBefore }: AuditFilters,
  cursor?: AuditCursor,
): Fragment {
  const below = cursor ?? { timestamp: timestampBefore ?? Number.MAX_SAFE_INTEGER, position: 0 }
  return {
    sql: `audit_events WHERE org = ? AND timestamp >= ? AND (timestamp, position) < (?, ?)
     ORDER BY timestamp DESC, position DESC`,
    params: [org, timestampAfter, below.timestamp, below.position],
  }
}

function conditionsOf({ dialect }: Db, { objects, actor, search }: AuditFilters): Fragment[] {
  const conditions: Fragment[] = []
  if (objects) conditions.push({ sql: `i.object IN (${objects.map(() => '?').join(', ')})`, params: objects })
  if (actor !== undefined) conditions.push({ sql: dialect.contains('i.actor'), params: [actor] })
  if (search !== undefined) {
    // Escaped like in JSON. Both stores fold only A to Z.
    const text = JSON.stringify(search).slice(1, -1)
    const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    conditions.push({ sql: dialect.contains('lower(e.event)'), params: [folded] })
  }
  return conditions
}

/** Returns the last scanned row; undefined if the scan reached the end. */
const endOf = (
  reader: Reader,
  { sql, params }: Fragment,
  scanLimit: number,
): Promise<AuditCursor | undefined> =>
  reader.get<AuditCursor>(`SELECT timestamp, position FROM ${sql} LIMIT 1 OFFSET ?`, [
    ...params,
    scanLimit - 1,
  ])

const linksPerBatch = 500

/** Iterates over the chain of an organization in batches, oldest first. */
export async function* walkAudit(reader: Reader, org: number): AsyncGenerator<readonly AuditLink[]> {
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const { where, params, order } = reader.dialect.auditScan(org, last)
    const links = await reader.all<AuditLink>(
      `SELECT ${columns} FROM audit_events AS e WHERE ${where} ORDER BY ${order} LIMIT ?`,
      [...params, linksPerBatch],
    )
    const end = links.at(-1)
    if (!end) return
    yield links
    last = end.position
  }
}

/** Reads the stored head of a chain; undefined if there are no events. */
export const auditHead = (
  reader: Reader,
  org: number,
): Promise<{ position: number; hash: string } | undefined> =>
  reader.get('SELECT position, hash FROM audit_heads WHERE org = ?', [org])
