import { useSyncExternalStore } from 'react'

/** The zone in which times are shown and typed: that of the browser, or UTC. */
export type TimeZone = 'local' | 'utc'

const name = 'muster.timeZone'
const listeners = new Set<() => void>()

function read(): TimeZone {
  try {
    // Outside of a browser, where tests run, there is no window.
    return globalThis.window?.localStorage.getItem(name) === 'utc' ? 'utc' : 'local'
  } catch {
    return 'local'
  }
}
let zone = read()

function set(next: TimeZone): void {
  zone = next
  for (const listener of listeners) listener()
}

/** The zone that was chosen in this browser. */
export const timeZone = (): TimeZone => zone

/** Changes the zone everywhere in the console, and keeps it. */
export function setTimeZone(next: TimeZone): void {
  set(next)
  try {
    globalThis.window?.localStorage.setItem(name, next)
  } catch {
    // It holds until the page is left.
  }
}

// Other tabs follow.
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === name) set(read())
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The zone, for a component that shows times: it is drawn again when the zone changes. */
export const useTimeZone = (): TimeZone => useSyncExternalStore(subscribe, timeZone)

/** Returns the first second of the day of a moment, in the zone that was chosen. */
export function dayStart(seconds: number): number {
  const date = new Date(seconds * 1000)
  return (zone === 'utc' ? date.setUTCHours(0, 0, 0, 0) : date.setHours(0, 0, 0, 0)) / 1000
}
