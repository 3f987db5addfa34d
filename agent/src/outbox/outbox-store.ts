import type { AgentEvent } from '@muster/contract/agent-event'
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
 * The outbox on disk: the index under one key, each event under one of its own, so that adding one to thousands
 * writes only little. What is written together is written whole or not at all.
 */
const indexKey = 'outbox'
const eventKey = (id: string) => `outbox:${id}`

/** Changes wait for each other; this is the end of the queue. */
let lastTurn: Promise<unknown> = Promise.resolve()

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work)
  lastTurn = turn.catch(() => undefined)
  return turn
}

async function readIndex(): Promise<OutboxIndex> {
  return ((await browser.storage.local.get(indexKey))[indexKey] as OutboxIndex | undefined) ?? emptyOutbox
}

/** Adds an event; it is on disk when this ends. */
export function addToOutbox(event: AgentEvent): Promise<void> {
  return inTurn(async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(event)).length
    const { index, removed } = appended(await readIndex(), { id: event.id, kind: event.kind, bytes })
    const isKept = !removed.some(({ id }) => id === event.id)
    await browser.storage.local.set({ [indexKey]: index, ...(isKept ? { [eventKey(event.id)]: event } : {}) })
    await browser.storage.local.remove(removed.map(({ id }) => eventKey(id)))
  })
}

/** The oldest events that fit into one batch, with the ids by which they are settled. */
export function batchFromOutbox(
  limits: OutboxLimits,
): Promise<{ readonly ids: ReadonlySet<string>; readonly events: readonly AgentEvent[] }> {
  return inTurn(async () => {
    const entries = nextBatch(await readIndex(), limits)
    const found = await browser.storage.local.get(entries.map(({ id }) => eventKey(id)))
    return {
      ids: new Set(entries.map(({ id }) => id)),
      events: entries.flatMap(({ id }) => (found[eventKey(id)] as AgentEvent | undefined) ?? []),
    }
  })
}

/** Takes out what was answered. The index goes first: an event without an entry is only litter. */
export function settleInOutbox(ids: ReadonlySet<string>): Promise<void> {
  return inTurn(async () => {
    await browser.storage.local.set({ [indexKey]: settled(await readIndex(), ids) })
    await browser.storage.local.remove([...ids].map(eventKey))
  })
}

/** Forgets everything that waits, as a browser must that may not report any more. */
export function emptyTheOutbox(): Promise<void> {
  return inTurn(async () => {
    const { entries } = await readIndex()
    await browser.storage.local.set({ [indexKey]: emptyOutbox })
    await browser.storage.local.remove(entries.map(({ id }) => eventKey(id)))
  })
}

/** Removes events that an interrupted change left without an entry. For starts of the browser. */
export function sweepOutbox(): Promise<void> {
  return inTurn(async () => {
    const known = new Set((await readIndex()).entries.map(({ id }) => eventKey(id)))
    const keys = Object.keys(await browser.storage.local.get(null))
    await browser.storage.local.remove(keys.filter((key) => key.startsWith('outbox:') && !known.has(key)))
  })
}

/** How many events wait, and how many were lost. */
export async function outboxFigures(): Promise<{ readonly waiting: number; readonly lost: number }> {
  const { entries, lost } = await readIndex()
  return { waiting: entries.length, lost }
}
