import { hash } from 'node:crypto'
import type { AuditObject } from '@muster/contract/console/console-audit'
import type { Actor } from '@muster/contract/events/event-actor'
import { composeEvent, type EventInput } from '@muster/contract/events/event-compose'
import type { EventFor } from '@muster/contract/events/event-objects'
import { type BoundedMap, boundedMap } from '../lib/bounded-map.ts'
import { foldCase } from '../lib/fold-case.ts'
import type { Param, SqlTx, Tx } from '../store/sql.ts'
import { emitComposedEvent, newEventId } from './outbox.ts'

export interface AuditFacts<O extends AuditObject> {
  /** Null for scheduled actions. */
  readonly actor: Actor | null
  readonly new: EventFor<O>['new']
  /** Time of the action; UNIX seconds. */
  readonly timestamp: number
  /** Clause of the description that replaces the object's own, without actor and period. */
  readonly what?: string
  /** Further sentence of the description. */
  readonly note?: string
}

/** An audit entry without position and hash. */
interface AuditRow {
  readonly org: number
  readonly id: string
  readonly timestamp: number
  readonly object: AuditObject
  readonly actor: string
  readonly event: string
}

/** Last entry of a chain, as this process has read or written it. */
interface ChainHead {
  readonly position: number
  readonly hash: string
}

/** Chain heads by organization, with the cache version for which they hold (`SqlTx.cacheVersion`). */
export type AuditHeads = BoundedMap<number, ChainHead & { readonly version: number | undefined }>

const cachedHeads = 10_000

export const createAuditHeads = (): AuditHeads => boundedMap(cachedHeads)

/**
 * Number of entries after which they are written. The embedded store has one writer, so writing early delays nobody.
 * PostgreSQL locks the head of the chain at that point, so there all entries wait for the end of the transaction.
 */
const bufferedMaximum = 1000

/** Number of rows up to which they are enqueued; more are written by a statement of their own. */
const enqueuedMaximum = 8

/** Collects the audit entries of a transaction. */
export class AuditEntries {
  readonly #tx: SqlTx
  readonly #heads: AuditHeads
  readonly #rows: AuditRow[] = []

  constructor(tx: SqlTx, heads: AuditHeads) {
    this.#tx = tx
    this.#heads = heads
  }

  async add(row: AuditRow): Promise<void> {
    this.#rows.push(row)
    if (this.#rows.length >= bufferedMaximum && !this.#tx.dialect.chainsAuditTrail) await this.flush()
  }

  /** Writes the entries. Called by the unit of work. */
  async flush(): Promise<void> {
    const rows = this.#rows.splice(0)
    const tx = this.#tx
    const [names, values] = tx.dialect.chainsAuditTrail
      ? [unchainedColumns, rows.map((row) => [row.org, ...valuesOf(row)])]
      : [chainedColumns, await chainRows(tx, rows, this.#heads)]
    if (rows.length > enqueuedMaximum) await tx.insert('audit_events', names, values)
    else for (const row of values) tx.enqueueInsert('audit_events', names, row)
  }
}

/**
 * Records an action in the audit trail, in the transaction that performs it. It is also an event for webhooks. Entries are
 * written at the end of the transaction, because all writers of an organization wait for the head of its chain.
 */
export async function recordAudit<O extends AuditObject>(
  tx: Tx,
  org: number,
  object: O,
  facts: AuditFacts<O>,
): Promise<void> {
  const id = newEventId(tx, facts.timestamp * 1000)
  const { timestamp } = facts
  const body = JSON.stringify(composeEvent(object, { id, ...facts } as unknown as EventInput<EventFor<O>>))
  await tx.unit.audit.add({ org, id, timestamp, object, actor: actorWords(facts.actor), event: body })
  await emitComposedEvent(tx, org, object, { id, timestamp, body })
}

/** Returns the searchable text of an actor: case-folded, starting with the source. */
export function actorWords(actor: Actor | null): string {
  if (!actor) return ''
  return foldCase(`${actor.source} ${namesOf(actor).join(' ')}`)
}

function namesOf(actor: Actor): readonly string[] {
  if (actor.source === 'API') return [actor.apiKeyName, actor.apiKeyCreatedBy]
  return actor.source === 'CLI' ? [actor.user] : [actor.email ?? '']
}

const entryColumns = ['id', 'timestamp', 'object', 'actor', 'event'] as const
const unchainedColumns = ['org', ...entryColumns]
const linkColumns = ['previous_hash', 'hash'] as const
const headColumns = ['org', 'position', ...linkColumns]
const chainedColumns = [...headColumns, ...entryColumns]
const replaceHead =
  'ON CONFLICT (org) DO UPDATE SET position = excluded.position, previous_hash = excluded.previous_hash, hash = excluded.hash'

const valuesOf = ({ id, timestamp, object, actor, event }: AuditRow) => [id, timestamp, object, actor, event]

async function headOf(tx: SqlTx, org: number, heads: AuditHeads): Promise<ChainHead> {
  const version = tx.cacheVersion()
  const known = version === undefined ? undefined : heads.get(org)
  if (known && known.version === version) return known
  const sql = 'SELECT position, hash FROM audit_heads WHERE org = ?'
  return (await tx.get<ChainHead>(sql, [org])) ?? { position: 0, hash: '' }
}

/** Returns the rows with positions and hashes, and enqueues the new heads of their chains. */
async function chainRows(tx: SqlTx, rows: readonly AuditRow[], heads: AuditHeads): Promise<Param[][]> {
  const ends = new Map<number, ChainHead>()
  const chained: Param[][] = []
  const lastLinks = new Map<number, Param[]>()
  for (const row of rows) {
    const before = ends.get(row.org) ?? (await headOf(tx, row.org, heads))
    const end = { position: before.position + 1, hash: auditHash(before.hash, row.event) }
    const link = [row.org, end.position, before.hash, end.hash]
    ends.set(row.org, end)
    lastLinks.set(row.org, link)
    chained.push([...link, ...valuesOf(row)])
  }
  for (const link of lastLinks.values()) tx.enqueueInsert('audit_heads', headColumns, link, replaceHead)
  for (const [org, end] of ends) heads.set(org, { ...end, version: tx.cacheVersion() })
  return chained
}

/** Returns the hash that links an event to the previous one: SHA-256 in hexadecimal of the previous hash and the event. */
export const auditHash = (previousHash: string, event: string): string =>
  hash('sha256', previousHash + event, 'hex')
