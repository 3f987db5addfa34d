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
