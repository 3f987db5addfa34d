/** Default timeout. Prometheus gives up a scrape after 10 s (`scrape_timeout`). */
const defaultTimeoutMs = 2000

/** Returns the value of a promise, or undefined if it is rejected or takes too long. */
export async function withTimeout<T>(
  promise: Promise<T>,
  timeoutMs = defaultTimeoutMs,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs)
  })
  try {
    return await Promise.race([promise, timeout])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
