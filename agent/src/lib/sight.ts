/** As much of an observer as tells what lies over an element, also what cannot be clicked. Firefox has no such. */
interface SightOptions extends IntersectionObserverInit {
  readonly trackVisibility: true
  /** Milliseconds; no less is allowed. */
  readonly delay: 100
}
type Sighting = IntersectionObserverEntry & { readonly isVisible?: boolean }

/** Watches whether an element can be seen. */
export interface Sight {
  /** Tells again, after the element was put in front. */
  lookAnew(): void
  end(): void
}

/**
 * Watches an element of a main frame; in other frames the page around decides what is seen of them.
 *
 * @param onCovered something lies over it
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
