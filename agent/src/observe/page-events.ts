import { type Copy, frameWatch, type Hearing } from '../loader/frame-watch.ts'

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
export function takeOver(refusesEarly: (copy: Copy) => boolean, refuses: (copy: Copy) => boolean): void {
  const frame = frameWatch()
  const { early } = frame
  frame.early = []
  frame.hear = hearing(refuses)
  for (const heard of early) hearing(refusesEarly)(heard)
}

const hearing =
  (refuses: (copy: Copy) => boolean): Hearing =>
  (heard) => {
    if (heard.kind === 'COPY') return refuses(heard.copy)
    for (const listener of frameWatch().listeners.get(heard.event.type) ?? []) listener(heard.event)
    return false
  }
