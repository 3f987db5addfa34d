import { useEffect, useState } from 'react'

/**
 * Loads a module when it is first needed. Returns undefined until it has loaded.
 *
 * `React.lazy` in a `Suspense` delays content that loads quickly by a third of a second, to avoid a flickering fallback.
 * There is no fallback here.
 *
 * @param load stable function that imports the module
 */
export function useLoaded<T>(load: () => Promise<T>, needed: boolean): T | undefined {
  const [part, setPart] = useState<T>()
  useEffect(() => {
    if (!needed) return
    let isGone = false
    const take = (next: () => T) => {
      if (!isGone) setPart(next)
    }
    load().then(
      (loaded) => take(() => loaded),
      (error: unknown) =>
        // Throw during rendering, as for a page that cannot be loaded.
        take(() => {
          throw error
        }),
    )
    return () => {
      isGone = true
    }
  }, [load, needed])
  return part
}
