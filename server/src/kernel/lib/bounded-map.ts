/** Map of limited size that evicts the least recently used entries. */
export interface BoundedMap<Key, Value extends {}> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): boolean
  clear(): void
  /** Number of entries, at most the capacity. */
  readonly size: number
}

/**
 * Creates a map for caches and counters with at most `capacity` entries (at least 2).
 *
 * It keeps two generations. When the young one reaches half the capacity, it becomes the old one and the old one is
 * dropped. An entry used in the old generation moves to the young one. The most recently used half always stays, a hit
 * costs one lookup, and reads reorder nothing, unlike with a linked list.
 *
 * @throws RangeError if the capacity is not an integer of at least 2
 */
export function boundedMap<Key, Value extends {}>(capacity: number): BoundedMap<Key, Value> {
  if (!Number.isInteger(capacity) || capacity < 2) {
    throw new RangeError(
      `the capacity of a bounded map must be a whole number of at least 2, not ${capacity}`,
    )
  }
  const half = Math.floor(capacity / 2)
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()

  function insert(key: Key, value: Value): void {
    if (young.size >= half) {
      const dropped = old
      old = young
      dropped.clear()
      young = dropped
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const fresh = young.get(key)
      if (fresh !== undefined) return fresh
      const aged = old.get(key)
      if (aged === undefined) return undefined
      old.delete(key)
      insert(key, aged)
      return aged
    },
    set(key, value) {
      if (young.has(key)) {
        young.set(key, value)
        return
      }
      old.delete(key)
      insert(key, value)
    },
    delete: (key) => young.delete(key) || old.delete(key),
    clear() {
      young.clear()
      old.clear()
    },
    get size() {
      return young.size + old.size
    },
  }
}
