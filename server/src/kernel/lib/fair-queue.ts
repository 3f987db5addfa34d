/**
 * Creates a queue with limited concurrency that serves its parties in turn, so a party with much work does not delay the
 * others.
 *
 * @param concurrency maximum number of tasks that run at the same time
 */
export function fairQueue<K>(concurrency: number): <T>(party: K, work: () => Promise<T>) => Promise<T> {
  let free = concurrency
  /** Waiting tasks by party. The party that is next comes first. */
  const waiting = new Map<K, (() => void)[]>()

  const wait = (party: K): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(party)
      if (queue) queue.push(resolve)
      else waiting.set(party, [resolve])
    })

  const startNext = (): void => {
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
      startNext()
    }
  }
}
