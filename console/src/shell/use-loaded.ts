import { useEffect, useState } from 'react'

/**
 * A part of the page that is loaded when it is first needed; undefined until it is there.
 *
 * React's own way, `lazy` in a `Suspense`, shows nothing for a third of a second when the part is there after a moment: so
 * long it leaves what stands in its place, that nothing flickers. Here nothing stands in its place.
 *
 * @param load gives the same part each time
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
        // Drawing fails by it, as it does when a page cannot be loaded.
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
