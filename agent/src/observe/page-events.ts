import { type CaptureHandler, type Copy, frameWatch } from '../loader/frame-watch.ts'

type PageEventMap = WindowEventMap & Pick<DocumentEventMap, 'fullscreenchange'>

/**
 * Listens to trusted events of the frame, including events from before the observer was loaded. The loader captures
 * these event types.
 */
export function onPageEvent<K extends keyof PageEventMap>(
  kind: K,
  listener: (event: PageEventMap[K]) => void,
): void {
  const { listeners } = frameWatch()
  listeners.set(kind, [...(listeners.get(kind) ?? []), listener as (event: Event) => void])
}

/**
 * Takes over events from the loader.
 *
 * @param refusesEarly judges earlier copies
 * @param refuses judges later copies; true keeps the text from the clipboard
 */
export function receiveCaptured(
  refusesEarly: (copy: Copy) => boolean,
  refuses: (copy: Copy) => boolean,
): void {
  const frame = frameWatch()
  const { early } = frame
  frame.early = []
  frame.handle = handlerFor(refuses)
  for (const captured of early) handlerFor(refusesEarly)(captured)
}

const handlerFor =
  (refuses: (copy: Copy) => boolean): CaptureHandler =>
  (captured) => {
    if (captured.kind === 'COPY') return refuses(captured.copy)
    for (const listener of frameWatch().listeners.get(captured.event.type) ?? []) listener(captured.event)
    return false
  }
