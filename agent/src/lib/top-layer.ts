import { onPageEvent } from '../observe/page-events.ts'
import { isOwnEvent } from './own-elements.ts'

const listeners = new Set<() => void>()

/**
 * Follows what the page puts into the browser's top layer, where it lies over all that was there before. From before the
 * page runs: later, its own listeners would come first and could stop the event.
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
 * Calls back when something of the page enters the top layer.
 *
 * @returns ends that
 */
export function onTopLayer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
