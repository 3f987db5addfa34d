import { ask } from '../messages.ts'
import { type FrameParts, frameWatch } from './frame-watch.ts'

/**
 * Gets a part of the observer, which the background puts into the frame if it is not there.
 *
 * @returns undefined if the frame is gone, or nothing is observed any more
 */
export async function fetchPart<K extends keyof FrameParts>(name: K): Promise<FrameParts[K] | undefined> {
  const { parts } = frameWatch()
  if (!parts[name]) await ask('inject', { script: name })
  return frameWatch().parts[name]
}

/** Offers a part; for the entrypoint that holds it. */
export function providePart<K extends keyof FrameParts>(name: K, part: FrameParts[K]): void {
  const frame = frameWatch()
  frame.parts = { [name]: part, ...frame.parts }
}
