/** So long an answer is waited for; who collects the figures waits for 10 s at the most (prometheus.io, `scrape_timeout`). */
const waitedMs = 2000

/** What an answer is, unless it fails or takes long: then undefined. */
export async function withTimeout<T>(answer: Promise<T>, waitMs = waitedMs): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs)
  })
  try {
    return await Promise.race([answer, late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
