/**
 * Elements that the agent adds to pages. The list is kept in the isolated world that all content script bundles of an
 * extension share and pages cannot reach.
 */
const place = Symbol.for('muster.ownElements')

const ownElements = (): WeakSet<EventTarget> => {
  const world = globalThis as { [place]?: WeakSet<EventTarget> }
  world[place] ??= new WeakSet()
  return world[place]
}

/** Marks an element as the agent's own, so interaction with it is not attributed to the page. */
export function markOwn(element: Element): void {
  ownElements().add(element)
}

/** Returns true if an element is one of the agent's own. */
export const isOwn = (element: Element): boolean => ownElements().has(element)

/** Returns true if an event targets one of the agent's own elements. */
export const isOwnEvent = (event: Event): boolean =>
  event.composedPath().some((target) => ownElements().has(target))
