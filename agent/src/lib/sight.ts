/** Options of IntersectionObserver v2 (occlusion tracking; Chromium only). */
interface SightOptions extends IntersectionObserverInit {
  readonly trackVisibility: true
  /** Milliseconds; the minimum allowed. */
  readonly delay: 100
}
type Sighting = IntersectionObserverEntry & { readonly isVisible?: boolean }

/** Watch on the visibility of an element. */
export interface Sight {
  /** Checks again, after the element was moved to the front. */
  lookAnew(): void
  end(): void
}

/**
 * Watches an element of a main frame. In subframes the surrounding page decides what is visible.
 *
 * @param onCovered called when something covers the element
 */
export function watchSight(element: Element, onCovered: () => void): Sight {
  const options: SightOptions = { trackVisibility: true, delay: 100 }
  const observer = new IntersectionObserver((entries) => {
    const { isIntersecting, isVisible } = entries.at(-1) as Sighting
    if (isIntersecting && isVisible === false) onCovered()
  }, options)
  const lookAnew = () => {
    observer.unobserve(element)
    if (window === window.top) observer.observe(element)
  }
  lookAnew()
  return { lookAnew, end: () => observer.disconnect() }
}
