/** Time without changes after which a page counts as settled. */
const stillMs = 700
/** Time after which a page that keeps changing counts as settled. */
const longestMs = 4_000

/**
 * Calls back whenever the page has settled after changes, and once at the start.
 *
 * @param recheckTimesMs times for further calls if the page does not change, from the start of watching; ascending
 * @returns function that stops watching
 */
export function watchSettled(callback: () => void, recheckTimesMs: readonly number[] = []): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let firstChangeMs: number | null = null
  const sinceMs = performance.now()
  const settle = () => {
    firstChangeMs = null
    callback()
    const next = recheckTimesMs.find((afterMs) => sinceMs + afterMs > performance.now() + stillMs)
    if (next !== undefined) timer = setTimeout(settle, sinceMs + next - performance.now())
  }
  const changed = () => {
    const now = performance.now()
    firstChangeMs ??= now
    clearTimeout(timer)
    timer = setTimeout(settle, Math.max(0, Math.min(stillMs, firstChangeMs + longestMs - now)))
  }
  const watcher = new MutationObserver(changed)
  watcher.observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: [
      'class',
      'style',
      'hidden',
      'type',
      'open',
      'disabled',
      'inert',
      'aria-hidden',
      'aria-busy',
    ],
  })
  window.addEventListener('load', changed)
  changed()
  return () => {
    watcher.disconnect()
    window.removeEventListener('load', changed)
    clearTimeout(timer)
  }
}

/** Calls back once the page is parsed; immediately if it already is. */
export function whenParsed(callback: () => void): void {
  if (document.readyState !== 'loading') callback()
  else document.addEventListener('DOMContentLoaded', callback, { once: true })
}
