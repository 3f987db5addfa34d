import { hash } from 'node:crypto'
import type { AuditObject } from '@muster/contract/console/console-audit'
import type { Actor } from '@muster/contract/event-actor'
import { composeEvent, type Told } from '@muster/contract/event-compose'
import type { EventFor } from '@muster/contract/event-objects'
import { boundedMap } from '../lib/bounded-map.ts'
import { foldCase } from '../lib/fold-case.ts'
import type { Db, Param, Tx } from '../store/sql.ts'
import { newEventId, tellComposed } from './outbox.ts'

/** What an act tells of itself. */
export interface AuditFacts<O extends AuditObject> {
  /** Who did it; null if it came by time. */
  readonly actor: Actor | null
  readonly new: EventFor<O>['new']
  /** When it was done; UNIX seconds. */
  readonly timestamp: number
  /** Clause that replaces the object's own, without actor and period. */
  readonly what?: string
  /** Another sentence of the description. */
  readonly note?: string
}

/** A link of the chain before it has its place. */
interface AuditRow {
  readonly org: number
  readonly id: string
  readonly timestamp: number
  readonly object: AuditObject
  readonly actor: string
  readonly event: string
}

/** Audit entries that a transaction has recorded and not written yet. */
interface Pending {
  readonly rows: AuditRow[]
  readonly heads: Heads
}

const pending = new WeakMap<Tx, Pending>()

/**
 * Number of rows that are held in memory until they are written. The embedded store has one writer, so writing early
 * holds up nobody. PostgreSQL locks the head of the chain then, so there all rows wait for the end of the transaction,
 * which bounds their number itself.
 */
const heldMaximum = 1000

/**
 * Tells the audit trail of an act, in the transaction that does it: both are kept, or neither. It is written when the
 * work of the transaction is done, since all writers of an organization wait for the head of its chain. It is an event for webhooks, too.
 */
export async function tellAudit<O extends AuditObject>(
  tx: Tx,
  org: number,
  object: O,
  facts: AuditFacts<O>,
): Promise<void> {
  const id = newEventId(tx, facts.timestamp * 1000)
  const event = composeEvent(object, { id, ...facts } as unknown as Told<EventFor<O>>)
  const { timestamp } = facts
  const body = JSON.stringify(event)
  const row = { org, id, timestamp, object, actor: actorWords(facts.actor), event: body }
  const held = pending.get(tx)
  if (!held) throw new Error('the audit trail was told something by a store that does not write it')
  held.rows.push(row)
  if (held.rows.length >= heldMaximum && !tx.dialect.chainsAuditTrail) await writeRows(tx, held)
  await tellComposed(tx, org, object, { id, timestamp, body })
}

/** Who did something, as lists are searched for it: folded, the way in front. */
export function actorWords(actor: Actor | null): string {
  if (!actor) return ''
  return foldCase(`${actor.source} ${namesOf(actor).join(' ')}`)
}

function namesOf(actor: Actor): readonly string[] {
  if (actor.source === 'API') return [actor.apiKeyName, actor.apiKeyCreatedBy]
  return actor.source === 'CLI' ? [actor.user] : [actor.email ?? '']
}

/** The end of a chain, as this process has read or written it. */
interface ChainHead {
  readonly position: number
  readonly hash: string
  /** The version of the store's memory that it holds for, see {@link Tx.cacheVersion}. */
  readonly version: number | undefined
}

/** Of so many organizations the head is remembered. */
const headsRemembered = 10_000

/** The store, whose transactions write what they told the audit trail as the last they do. */
export function withAuditTrail(db: Db): Db {
  const heads = boundedMap<number, ChainHead>(headsRemembered)
  return {
    ...db,
    inTransaction: (work) =>
      db.inTransaction(async (tx) => {
        const held: Pending = { rows: [], heads }
        pending.set(tx, held)
        const result = await work(tx)
        await writeRows(tx, held)
        return result
      }),
  }
}

/** Number of rows that go into the one statement of a transaction; more are inserted by a statement of their own. */
const putMaximum = 8

async function writeRows(tx: Tx, { rows: held, heads }: Pending): Promise<void> {
  const rows = held.splice(0)
  const [names, values] = tx.dialect.chainsAuditTrail
    ? [unchained, rows.map((row) => [row.org, ...valuesOf(row)])]
    : [eventColumns, await chained(tx, rows, heads)]
  if (rows.length > putMaximum) await tx.insert('audit_events', names, values)
  else for (const row of values) tx.enqueueInsert('audit_events', names, row)
}

type Heads = ReturnType<typeof boundedMap<number, ChainHead>>

const columns = ['id', 'timestamp', 'object', 'actor', 'event'] as const
const unchained = ['org', ...columns]
const linkColumns = ['previous_hash', 'hash'] as const
const headColumns = ['org', 'position', ...linkColumns]
const eventColumns = [...headColumns, ...columns]
const inItsPlace =
  'ON CONFLICT (org) DO UPDATE SET position = excluded.position, previous_hash = excluded.previous_hash, hash = excluded.hash'

const valuesOf = ({ id, timestamp, object, actor, event }: AuditRow) => [id, timestamp, object, actor, event]

async function headOf(tx: Tx, org: number, heads: Heads): Promise<Omit<ChainHead, 'version'>> {
  const version = tx.cacheVersion()
  const known = version === undefined ? undefined : heads.get(org)
  if (known && known.version === version) return known
  const sql = 'SELECT position, hash FROM audit_heads WHERE org = ?'
  return (await tx.get<{ position: number; hash: string }>(sql, [org])) ?? { position: 0, hash: '' }
}

/** Returns the rows with their places and hashes, and puts the new heads of their chains. */
async function chained(tx: Tx, rows: readonly AuditRow[], heads: Heads): Promise<Param[][]> {
  const ends = new Map<number, Omit<ChainHead, 'version'>>()
  const links: Param[][] = []
  const last = new Map<number, Param[]>()
  for (const row of rows) {
    const before = ends.get(row.org) ?? (await headOf(tx, row.org, heads))
    const end = { position: before.position + 1, hash: auditHash(before.hash, row.event) }
    const link = [row.org, end.position, before.hash, end.hash]
    ends.set(row.org, end)
    last.set(row.org, link)
    links.push([...link, ...valuesOf(row)])
  }
  for (const link of last.values()) tx.enqueueInsert('audit_heads', headColumns, link, inItsPlace)
  for (const [org, end] of ends) heads.set(org, { ...end, version: tx.cacheVersion() })
  return links
}

/** What chains an event to the one before: the SHA-256, in hexadecimal, of that one's hash and this one's text. */
export const auditHash = (previousHash: string, event: string): string =>
  hash('sha256', previousHash + event, 'hex')
