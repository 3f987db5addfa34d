/** Options of IntersectionObserver v2 (occlusion tracking; Chromium only). */
interface OcclusionOptions extends IntersectionObserverInit {
  readonly trackVisibility: true
  /** Milliseconds; the minimum allowed. */
  readonly delay: 100
}
type OcclusionEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }

/** Watch on the visibility of an element. */
export interface OcclusionWatch {
  /** Checks again, after the element was moved to the front. */
  recheck(): void
  end(): void
}

/**
 * Watches an element of a main frame. In subframes the surrounding page decides what is visible.
 *
 * @param onCovered called when something covers the element
 */
export function watchOcclusion(element: Element, onCovered: () => void): OcclusionWatch {
  const options: OcclusionOptions = { trackVisibility: true, delay: 100 }
  const observer = new IntersectionObserver((entries) => {
    const { isIntersecting, isVisible } = entries.at(-1) as OcclusionEntry
    if (isIntersecting && isVisible === false) onCovered()
  }, options)
  const recheck = () => {
    observer.unobserve(element)
    if (window === window.top) observer.observe(element)
  }
  recheck()
  return { recheck, end: () => observer.disconnect() }
}
