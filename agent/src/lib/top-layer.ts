import { onPageEvent } from '../observe/page-events.ts'
import { isOwnEvent } from './own-elements.ts'

const listeners = new Set<() => void>()

/**
 * Watches what the page adds to the browser's top layer, which covers everything added earlier. Must start before the
 * page runs, because earlier listeners of the page could stop the event.
 */
export function watchTopLayer(): void {
  const tell = (event: Event) => {
    const { newState = 'open' } = event as Partial<ToggleEvent>
    if (newState === 'open' && !isOwnEvent(event)) for (const listener of listeners) listener()
  }
  onPageEvent('beforetoggle', tell)
  onPageEvent('fullscreenchange', tell)
}

/**
 * Calls back when an element of the page enters the top layer.
 *
 * @returns function that removes the listener
 */
export function onTopLayer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
