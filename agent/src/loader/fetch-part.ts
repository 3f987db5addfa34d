import { ask } from '../messages.ts'
import { type FrameParts, frameWatch } from './frame-watch.ts'

const pending = new Map<keyof FrameParts, Promise<unknown>>()

/**
 * Returns a part of the observer. The background injects it if it is not loaded yet.
 *
 * @returns undefined if the frame is gone or observation is off
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
 * Uses a part of the observer: synchronously if it is loaded, because the page may change in a moment; otherwise once
 * it is loaded.
 *
 * @returns undefined if it cannot be loaded
 */
export async function withPart<K extends keyof FrameParts, R>(
  name: K,
  use: (part: FrameParts[K]) => R,
): Promise<R | undefined> {
  const part = frameWatch().parts[name] ?? (await fetchPart(name))
  return part && use(part)
}

/** Registers a part. Called by its entrypoint. */
export function providePart<K extends keyof FrameParts>(name: K, part: FrameParts[K]): void {
  const frame = frameWatch()
  frame.parts = { [name]: part, ...frame.parts }
}
