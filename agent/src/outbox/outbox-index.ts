import type { AgentEvent } from '@muster/contract/agent-event'

/** What waits to be reported, without the events themselves, which are kept one by one. */
export interface OutboxIndex {
  /** Oldest first. */
  readonly entries: readonly OutboxEntry[]
  /** How many events were dropped because there was no room, since the agent was installed. */
  readonly lost: number
}

export interface OutboxEntry {
  readonly id: string
  readonly kind: AgentEvent['kind']
  /** Length of the event as JSON in UTF-8. */
  readonly bytes: number
}

/** How much may wait: enough for weeks offline, and a bound on what a page can make the agent keep. */
export const outboxLimits = { events: 5000, bytes: 4 * 1024 * 1024 }
export type OutboxLimits = typeof outboxLimits

export const emptyOutbox: OutboxIndex = { entries: [], lost: 0 }

/** A later one of these says all that an earlier one does. */
const replacing: ReadonlySet<string> = new Set(['HEARTBEAT', 'EXTENSIONS'])

/**
 * The index with one more entry. Past the limits the oldest visits go first, then whatever is oldest, and last what
 * tells a whole state; an event that is itself larger than a quarter of the room is not taken.
 *
 * @returns the new index, and the entries that are no longer in it
 */
export function appended(
  index: OutboxIndex,
  entry: OutboxEntry,
  limits: OutboxLimits = outboxLimits,
): { readonly index: OutboxIndex; readonly removed: readonly OutboxEntry[] } {
  // One that took the room of many would push everything else out.
  if (entry.bytes > limits.bytes / 4) return { index: { ...index, lost: index.lost + 1 }, removed: [entry] }
  const superseded = replacing.has(entry.kind) ? index.entries.filter(({ kind }) => kind === entry.kind) : []
  const kept = index.entries.filter((each) => !superseded.includes(each))
  const dropped = overflow([...kept, entry], limits)
  return {
    index: {
      entries: [...kept, entry].filter((each) => !dropped.has(each)),
      lost: index.lost + dropped.size,
    },
    removed: [...superseded, ...dropped],
  }
}

/** What has to go so that the rest is within the limits. */
function overflow(entries: readonly OutboxEntry[], limits: OutboxLimits): ReadonlySet<OutboxEntry> {
  let excessEvents = entries.length - limits.events
  let excessBytes = totalBytes(entries) - limits.bytes
  const dropped = new Set<OutboxEntry>()
  if (excessEvents <= 0 && excessBytes <= 0) return dropped
  const visits = entries.filter(({ kind }) => kind === 'VISIT')
  // There is one at most of those that tell a whole state, and what it tells would not be told again.
  const states = entries.filter(({ kind }) => replacing.has(kind))
  const others = entries.filter(({ kind }) => kind !== 'VISIT' && !replacing.has(kind))
  for (const entry of [...visits, ...others, ...states]) {
    if (excessEvents <= 0 && excessBytes <= 0) break
    dropped.add(entry)
    excessEvents -= 1
    excessBytes -= entry.bytes
  }
  return dropped
}

/** `{"events":[` and `]}`. */
const envelopeBytes = 13

/**
 * The oldest entries that fit into one batch. There is always one, so that a single large event cannot block the rest.
 */
export function nextBatch(index: OutboxIndex, limits: OutboxLimits): readonly OutboxEntry[] {
  let bytes = envelopeBytes
  const size = index.entries.findIndex((entry, place) => {
    bytes += entry.bytes + 1
    return place >= limits.events || (place > 0 && bytes > limits.bytes)
  })
  return size === -1 ? index.entries : index.entries.slice(0, size)
}

/** The index without entries that were answered, whether the server took or refused them. */
export function settled(index: OutboxIndex, ids: ReadonlySet<string>): OutboxIndex {
  return { ...index, entries: index.entries.filter(({ id }) => !ids.has(id)) }
}

const totalBytes = (entries: readonly OutboxEntry[]) => entries.reduce((sum, { bytes }) => sum + bytes, 0)
