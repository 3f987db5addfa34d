/** Lets other events of this process run before long work continues. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Number of items, of 20 to 100 µs each, between two yields. */
const chunkSize = 25

/** Maps items and yields to the event loop after each chunk. */
export async function mapInChunks<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % chunkSize === 0) await yieldToEventLoop()
    results.push(map(item))
  }
  return results
}
