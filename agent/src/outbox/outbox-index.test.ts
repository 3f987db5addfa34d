import { describe, expect, test } from 'vitest'
import {
  appended,
  emptyOutbox,
  nextBatch,
  type OutboxEntry,
  type OutboxIndex,
  settled,
} from './outbox-index.ts'

const entry = (id: string, kind: OutboxEntry['kind'] = 'LOGIN', bytes = 100): OutboxEntry => ({
  id,
  kind,
  bytes,
})
const filled = (...entries: OutboxEntry[]): OutboxIndex => ({ entries, lost: 0 })
const ids = ({ entries }: { entries: readonly OutboxEntry[] }) => entries.map(({ id }) => id).join(' ')
const limits = { events: 3, bytes: 2000 }

describe('an added event', () => {
  test('is queued last', () => {
    const { index, removed } = appended(filled(entry('a')), entry('b'), limits)
    expect(ids(index)).toBe('a b')
    expect(removed).toEqual([])
    expect(index.lost).toBe(0)
  })

  test('beyond the event limit drops the oldest visit and counts it as lost', () => {
    const full = filled(entry('a'), entry('b', 'VISIT'), entry('c', 'VISIT'))
    const { index, removed } = appended(full, entry('d'), limits)
    expect(ids(index)).toBe('a c d')
    expect(ids({ entries: removed })).toBe('b')
    expect(index.lost).toBe(1)
  })

  test('beyond the limit drops the oldest event if there is no visit', () => {
    const { index } = appended(filled(entry('a'), entry('b'), entry('c')), entry('d'), limits)
    expect(ids(index)).toBe('b c d')
  })

  test('beyond the limit drops the extension list last', () => {
    const full = filled(entry('a', 'EXTENSIONS'), entry('b', 'HEARTBEAT'), entry('c'))
    expect(ids(appended(full, entry('d'), limits).index)).toBe('a b d')
  })

  test('beyond the byte limit drops as many as needed', () => {
    const full = filled(entry('a', 'LOGIN', 500), entry('b', 'VISIT', 500), entry('c', 'LOGIN', 900))
    const { index } = appended(full, entry('d', 'LOGIN', 500), { events: 99, bytes: 2000 })
    expect(ids(index)).toBe('a c d')
    const more = appended(index, entry('e', 'LOGIN', 500), { events: 99, bytes: 2000 }).index
    expect(ids(more)).toBe('c d e')
    expect(more.lost).toBe(2)
  })

  test('that is itself the only visit is dropped', () => {
    const { index } = appended(filled(entry('a'), entry('b'), entry('c')), entry('d', 'VISIT'), limits)
    expect(ids(index)).toBe('a b c')
    expect(index.lost).toBe(1)
  })

  test('larger than a quarter of the limit is rejected and drops nothing else', () => {
    const { index, removed } = appended(filled(entry('a')), entry('huge', 'EXTENSIONS', 501), limits)
    expect(ids(index)).toBe('a')
    expect(ids({ entries: removed })).toBe('huge')
    expect(index.lost).toBe(1)
  })

  test.each(['HEARTBEAT', 'EXTENSIONS'] as const)('of kind %s replaces an earlier one', (kind) => {
    const { index, removed } = appended(filled(entry('a', kind), entry('b')), entry('c', kind), limits)
    expect(ids(index)).toBe('b c')
    expect(ids({ entries: removed })).toBe('a')
    expect(index.lost).toBe(0)
  })
})

describe('a batch', () => {
  const index = filled(entry('a'), entry('b'), entry('c'))

  test('contains the oldest events up to the limit', () => {
    expect(ids({ entries: nextBatch(index, { events: 2, bytes: 2000 }) })).toBe('a b')
    expect(ids({ entries: nextBatch(index, { events: 500, bytes: 2000 }) })).toBe('a b c')
  })

  test('never exceeds the byte limit, including envelope and commas', () => {
    expect(ids({ entries: nextBatch(index, { events: 500, bytes: 13 + 3 * 101 }) })).toBe('a b c')
    expect(ids({ entries: nextBatch(index, { events: 500, bytes: 13 + 3 * 101 - 1 }) })).toBe('a b')
  })

  test('contains at least one event, however large', () => {
    expect(ids({ entries: nextBatch(index, { events: 500, bytes: 50 }) })).toBe('a')
  })

  test('is empty if nothing is queued', () => {
    expect(nextBatch(emptyOutbox, limits)).toEqual([])
  })
})

test('only answered events leave the outbox', () => {
  const index = { entries: [entry('a'), entry('b'), entry('c')], lost: 7 }
  expect(settled(index, new Set(['a', 'c', 'unknown']))).toEqual({ entries: [entry('b')], lost: 7 })
})
