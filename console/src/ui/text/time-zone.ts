import { useSyncExternalStore } from 'react'

/** Time zone of all shown and entered times: the browser's, or UTC. */
export type TimeZone = 'local' | 'utc'

const name = 'muster.timeZone'
const listeners = new Set<() => void>()

function read(): TimeZone {
  try {
    // There is no window outside a browser, where tests run.
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

/** Returns the time zone selected in this browser. */
export const timeZone = (): TimeZone => zone

/** Sets and stores the time zone for the whole console. */
export function setTimeZone(next: TimeZone): void {
  set(next)
  try {
    globalThis.window?.localStorage.setItem(name, next)
  } catch {
    // Without storage the choice lasts until the page is closed.
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

/** Returns the time zone and re-renders the component when it changes. */
export const useTimeZone = (): TimeZone => useSyncExternalStore(subscribe, timeZone)

/** Returns the first second of a timestamp's day in the selected time zone. */
export function dayStart(seconds: number): number {
  const date = new Date(seconds * 1000)
  return (zone === 'utc' ? date.setUTCHours(0, 0, 0, 0) : date.setHours(0, 0, 0, 0)) / 1000
}
