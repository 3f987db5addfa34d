import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { browser } from 'wxt/browser'
import {
  appended,
  emptyOutbox,
  nextBatch,
  type OutboxIndex,
  type OutboxLimits,
  settled,
} from './outbox-index.ts'

/**
 * Storage key of the index. Each event has a key of its own, so adding one to thousands writes little. A single write
 * of several keys is atomic.
 */
const indexKey = 'outbox'
const eventKey = (id: string) => `outbox:${id}`

/** Last queued change. Changes run one after the other. */
let lastTurn: Promise<unknown> = Promise.resolve()

function enqueue<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work)
  lastTurn = turn.catch(() => undefined)
  return turn
}

async function readIndex(): Promise<OutboxIndex> {
  return ((await browser.storage.local.get(indexKey))[indexKey] as OutboxIndex | undefined) ?? emptyOutbox
}

/** Adds an event. Resolves when it is on disk. */
export function addToOutbox(event: AgentEvent): Promise<void> {
  return enqueue(async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(event)).length
    const { index, removed } = appended(await readIndex(), { id: event.id, kind: event.kind, bytes })
    const isKept = !removed.some(({ id }) => id === event.id)
    await browser.storage.local.set({ [indexKey]: index, ...(isKept ? { [eventKey(event.id)]: event } : {}) })
    await browser.storage.local.remove(removed.map(({ id }) => eventKey(id)))
  })
}

/** Returns the oldest events that fit into one batch, with the IDs for settling them. */
export function batchFromOutbox(
  limits: OutboxLimits,
): Promise<{ readonly ids: ReadonlySet<string>; readonly events: readonly AgentEvent[] }> {
  return enqueue(async () => {
    const entries = nextBatch(await readIndex(), limits)
    const found = await browser.storage.local.get(entries.map(({ id }) => eventKey(id)))
    return {
      ids: new Set(entries.map(({ id }) => id)),
      events: entries.flatMap(({ id }) => (found[eventKey(id)] as AgentEvent | undefined) ?? []),
    }
  })
}

/** Removes settled events. The index is written first: an event without an entry is harmless. */
export function settleInOutbox(ids: ReadonlySet<string>): Promise<void> {
  return enqueue(async () => {
    await browser.storage.local.set({ [indexKey]: settled(await readIndex(), ids) })
    await browser.storage.local.remove([...ids].map(eventKey))
  })
}

/** Discards all queued events, for a browser that may not report any more. */
export function clearOutbox(): Promise<void> {
  return enqueue(async () => {
    const { entries } = await readIndex()
    await browser.storage.local.set({ [indexKey]: emptyOutbox })
    await browser.storage.local.remove(entries.map(({ id }) => eventKey(id)))
  })
}

/** Removes events without an entry, left by an interrupted change. Call when the browser starts. */
export function sweepOutbox(): Promise<void> {
  return enqueue(async () => {
    const known = new Set((await readIndex()).entries.map(({ id }) => eventKey(id)))
    const keys = Object.keys(await browser.storage.local.get(null))
    await browser.storage.local.remove(keys.filter((key) => key.startsWith('outbox:') && !known.has(key)))
  })
}

/** Returns the number of queued and of lost events. */
export async function outboxFigures(): Promise<{ readonly waiting: number; readonly lost: number }> {
  const { entries, lost } = await readIndex()
  return { waiting: entries.length, lost }
}
