import type { AgentEvent } from '@muster/contract/agent/agent-event'

/** Index of queued events. The events themselves are stored separately. */
export interface OutboxIndex {
  /** Oldest first. */
  readonly entries: readonly OutboxEntry[]
  /** Number of events dropped for lack of space since the agent was installed. */
  readonly lost: number
}

export interface OutboxEntry {
  readonly id: string
  readonly kind: AgentEvent['kind']
  /** Length of the event as JSON in UTF-8. */
  readonly bytes: number
}

/** Limits of the queue: enough for weeks offline, and a bound on what a page can make the agent store. */
const outboxLimits = { events: 5000, bytes: 4 * 1024 * 1024 }
export type OutboxLimits = typeof outboxLimits

export const emptyOutbox: OutboxIndex = { entries: [], lost: 0 }

/** Event kinds that report a whole state, so a later event replaces an earlier one. */
const replacing: ReadonlySet<string> = new Set(['HEARTBEAT', 'EXTENSIONS'])

/**
 * Adds an entry to the index. Beyond the limits, the oldest visits are dropped first, then the oldest other events, and
 * whole states last. An event larger than a quarter of the limit is not accepted.
 *
 * @returns the new index and the removed entries
 */
export function appended(
  index: OutboxIndex,
  entry: OutboxEntry,
  limits: OutboxLimits = outboxLimits,
): { readonly index: OutboxIndex; readonly removed: readonly OutboxEntry[] } {
  // A huge event would push out everything else.
  if (entry.bytes > limits.bytes / 4) return { index: { ...index, lost: index.lost + 1 }, removed: [entry] }
  const superseded = replacing.has(entry.kind) ? index.entries.filter(({ kind }) => kind === entry.kind) : []
  const kept = index.entries.filter((each) => !superseded.includes(each))
  const dropped = entriesToDrop([...kept, entry], limits)
  return {
    index: {
      entries: [...kept, entry].filter((each) => !dropped.has(each)),
      lost: index.lost + dropped.size,
    },
    removed: [...superseded, ...dropped],
  }
}

/** Returns the entries to drop so the rest is within the limits. */
function entriesToDrop(entries: readonly OutboxEntry[], limits: OutboxLimits): ReadonlySet<OutboxEntry> {
  let excessEvents = entries.length - limits.events
  let excessBytes = totalBytes(entries) - limits.bytes
  const dropped = new Set<OutboxEntry>()
  if (excessEvents <= 0 && excessBytes <= 0) return dropped
  const visits = entries.filter(({ kind }) => kind === 'VISIT')
  // At most one entry per state kind exists, and its content would not be reported again.
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

/** Length of `{"events":[` and `]}`. */
const envelopeBytes = 13

/**
 * Returns the oldest entries that fit into one batch. Always at least one, so a single large event cannot block the
 * rest.
 */
export function nextBatch(index: OutboxIndex, limits: OutboxLimits): readonly OutboxEntry[] {
  let bytes = envelopeBytes
  const size = index.entries.findIndex((entry, place) => {
    bytes += entry.bytes + 1
    return place >= limits.events || (place > 0 && bytes > limits.bytes)
  })
  return size === -1 ? index.entries : index.entries.slice(0, size)
}

/** Returns the index without entries that the server accepted or refused. */
export function settled(index: OutboxIndex, ids: ReadonlySet<string>): OutboxIndex {
  return { ...index, entries: index.entries.filter(({ id }) => !ids.has(id)) }
}

const totalBytes = (entries: readonly OutboxEntry[]) => entries.reduce((sum, { bytes }) => sum + bytes, 0)
