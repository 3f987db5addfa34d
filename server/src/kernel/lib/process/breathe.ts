/** Lets what else waits in this process run, before work that takes some milliseconds goes on. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** So many pieces of work of some 20 to 100 µs are done before others get a turn. */
const atOnce = 25

/** Does short work on each of many items, and lets others run in between. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % atOnce === 0) await breathe()
    results.push(work(item))
  }
  return results
}
