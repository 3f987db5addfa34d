/**
 * The elements that the agent itself puts into pages. The content scripts of an extension are bundles apart
 * but share one world, which no page can reach; the list is kept there.
 */
const place = Symbol.for('muster.ownElements')

const ownElements = (): WeakSet<EventTarget> => {
  const world = globalThis as { [place]?: WeakSet<EventTarget> }
  world[place] ??= new WeakSet()
  return world[place]
}

/** Marks an element as the agent's, so that what people do with it is not taken for something done to the page. */
export function markOwn(element: Element): void {
  ownElements().add(element)
}

/** Whether an element is one of the agent's own. */
export const isOwn = (element: Element): boolean => ownElements().has(element)

/** Whether an event is about one of the agent's own elements. */
export const isOwnEvent = (event: Event): boolean =>
  event.composedPath().some((target) => ownElements().has(target))
