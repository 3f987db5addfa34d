/** Lets what else waits in this process run, before work that takes some milliseconds goes on. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** So many pieces of work of some 20 to 100 µs are done before others get a turn. */
const atOnce = 25

/** Does short work on each of many items, and lets others run in between. */
export async function mapInChunks<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % atOnce === 0) await yieldToEventLoop()
    results.push(work(item))
  }
  return results
}
