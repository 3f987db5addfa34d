/**
 * Awaits all promises like `Promise.all`, but rejects only after all of them have settled. Otherwise work would still run,
 * for example on a closed transaction, while the caller handles the error.
 *
 * @throws the error of the first promise in the list that was rejected
 */
export async function allSettledOrThrow<const T extends readonly unknown[]>(
  promises: {
    readonly [K in keyof T]: Promise<T[K]>
  },
): Promise<T> {
  const outcomes = await Promise.allSettled(promises)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : undefined,
  ) as unknown as T
}

/**
 * Runs an operation for one item after another. A failure does not keep the other items from their turn.
 *
 * @throws the first error, after all items had their turn
 */
export async function eachOrThrow<Item>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) await run(item).catch((error: unknown) => void errors.push(error))
  if (errors.length > 0) throw errors[0]
}
