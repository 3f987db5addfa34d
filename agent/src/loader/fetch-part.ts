import { ask } from '../messages.ts'
import { type FrameParts, frameWatch } from './frame-watch.ts'

const pending = new Map<keyof FrameParts, Promise<unknown>>()

/**
 * Gets a part of the observer, which the background puts into the frame if it is not there.
 *
 * @returns undefined if the frame is gone, or nothing is observed any more
 */
export async function fetchPart<K extends keyof FrameParts>(name: K): Promise<FrameParts[K] | undefined> {
  if (!frameWatch().parts[name]) {
    const asked = pending.get(name) ?? ask('inject', { script: name }).finally(() => pending.delete(name))
    pending.set(name, asked)
    await asked
  }
  return frameWatch().parts[name]
}

/**
 * Uses a part of the observer: at once if it is there, for the page may change in a moment; else as soon as it is.
 *
 * @returns undefined if it cannot be fetched
 */
export async function withPart<K extends keyof FrameParts, R>(
  name: K,
  use: (part: FrameParts[K]) => R,
): Promise<R | undefined> {
  const part = frameWatch().parts[name] ?? (await fetchPart(name))
  return part && use(part)
}

/** Offers a part; for the entrypoint that holds it. */
export function providePart<K extends keyof FrameParts>(name: K, part: FrameParts[K]): void {
  const frame = frameWatch()
  frame.parts = { [name]: part, ...frame.parts }
}
