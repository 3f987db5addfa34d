/**
 * A queue for work of several parties, of which so much runs at the same time. The parties take turns, so that what one
 * of them brings in masses holds up nobody else.
 */
export function fairQueue<K>(width: number): <T>(party: K, work: () => Promise<T>) => Promise<T> {
  let free = width
  /** The party whose turn is next comes first. */
  const waiting = new Map<K, (() => void)[]>()

  const wait = (party: K): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(party)
      if (queue) queue.push(resolve)
      else waiting.set(party, [resolve])
    })

  const passOn = (): void => {
    const [next] = waiting
    if (!next) {
      free += 1
      return
    }
    const [party, queue] = next
    waiting.delete(party)
    const begin = queue.shift()
    if (queue.length > 0) waiting.set(party, queue)
    begin?.()
  }

  return async (party, work) => {
    if (free > 0) free -= 1
    else await wait(party)
    try {
      return await work()
    } finally {
      passOn()
    }
  }
}
