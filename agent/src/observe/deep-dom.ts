import { browser } from 'wxt/browser'
import { isOwnEvent } from '../lib/own-elements.ts'
import { frameWatch } from '../loader/frame-watch.ts'

/** Maximum number of elements visited, so a huge page cannot block the agent. */
const elementsMaximum = 20_000

interface FirefoxElement {
  readonly openOrClosedShadowRoot?: ShadowRoot | null
}

/** Returns the shadow root of an element. Extensions can also access closed roots. */
export function shadowRootOf(element: Element): ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot
  if (!(element instanceof HTMLElement)) return null
  const closed = (element as HTMLElement & FirefoxElement).openOrClosedShadowRoot
  if (closed !== undefined) return closed
  return browser.dom?.openOrClosedShadowRoot(element) ?? null
}

/**
 * Returns true if an element may have a shadow root. Only custom elements and elements without children are checked.
 */
export const mayBeHost = (element: Element) =>
  element.localName.includes('-') || element.childElementCount === 0

/** Returns all matching elements below a root, in page order, including those in shadow roots. */
export function deepAll(root: ParentNode & Node, selector: string): Element[] {
  const found: Element[] = []
  let left = elementsMaximum
  const visit = (from: ParentNode & Node) => {
    const walker = document.createTreeWalker(from, NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node !== null && left-- > 0; node = walker.nextNode()) {
      const element = node as Element
      if (element.matches(selector)) found.push(element)
      const shadow = mayBeHost(element) ? shadowRootOf(element) : null
      if (shadow) visit(shadow)
    }
  }
  visit(root)
  return found
}

/** Returns the actual target of an event inside shadow roots; null for the agent's own elements. */
export function deepTarget(event: Event): Element | null {
  const known = frameWatch().targets.get(event)
  return known === undefined ? findTarget(event) : known
}

function findTarget(event: Event): Element | null {
  if (isOwnEvent(event)) return null
  const [first] = event.composedPath()
  let element = first instanceof Element ? first : null
  for (let shadow = element && shadowRootOf(element); element && shadow; shadow = shadowRootOf(element)) {
    const inner: Element | null =
      event instanceof MouseEvent && event.detail > 0
        ? shadow.elementFromPoint(event.clientX, event.clientY)
        : shadow.activeElement
    if (!inner || inner === element || inner.getRootNode() !== shadow) break
    element = inner
  }
  return element
}

/** Returns true if a person can see an element. */
export function isVisible(element: Element): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false
  const { width, height } = element.getBoundingClientRect()
  return width > 1 && height > 1
}

const isFocused = (element: Element) => {
  const root = element.getRootNode()
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element
}

/** Returns true if a person can see a field, or types into it while the page draws something else in its place. */
export const isSeen = (element: Element): boolean => isVisible(element) || isFocused(element)

/**
 * Returns true if a person can use an element now: it is visible, not transparent, not inert, and not outside of the
 * page.
 */
export function isUsable(element: Element): boolean {
  if (!isVisible(element) || !element.checkVisibility({ opacityProperty: true })) return false
  if (isInert(element)) return false
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const { scrollWidth, scrollHeight } = document.documentElement
  const width = Math.max(scrollWidth, innerWidth)
  const height = Math.max(scrollHeight, innerHeight)
  return right + scrollX > 0 && bottom + scrollY > 0 && left + scrollX < width && top + scrollY < height
}

/** Returns true if an element is inside an inert part of the page, also across shadow roots. */
function isInert(element: Element): boolean {
  for (let inside: Element | null = element; inside; ) {
    if (inside.closest('[inert]')) return true
    const root = inside.getRootNode()
    inside = root instanceof ShadowRoot ? root.host : null
  }
  return false
}

/** Returns true if an element is inside another one, also across shadow roots. */
export function containsDeep(outer: Element, element: Element): boolean {
  for (let inside: Element | null = element; inside; ) {
    if (outer.contains(inside)) return true
    const root: Node = inside.getRootNode()
    inside = root instanceof ShadowRoot ? root.host : null
  }
  return false
}
