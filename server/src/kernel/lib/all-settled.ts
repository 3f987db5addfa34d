/**
 * The outcomes of work that runs at the same time. If some of it fails, the first failure is thrown when all of it has
 * ended: nothing goes on behind the back of whoever handles the failure.
 */
export async function allSettledOrThrow<const T extends readonly unknown[]>(
  work: {
    readonly [K in keyof T]: Promise<T[K]>
  },
): Promise<T> {
  const ended = await Promise.allSettled(work)
  const failed = ended.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return ended.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)) as unknown as T
}
