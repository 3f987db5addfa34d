import { browser } from 'wxt/browser'

/**
 * Value that survives a restart of the background worker, but not of the browser. It is kept in memory that pages and
 * content scripts cannot reach. Callers serialize reads and writes.
 */
export interface SessionValue<T> {
  read(): Promise<T>
  write(value: T): Promise<void>
}

/**
 * Creates a session value.
 *
 * @param key unique in the agent
 * @param initial value until the first write
 */
export function sessionValue<T>(key: string, initial: T): SessionValue<T> {
  let known: T | undefined
  return {
    read: async () => {
      known ??= ((await browser.storage.session.get(key))[key] as T | undefined) ?? initial
      return known
    },
    write: async (value) => {
      if (value === known) return
      known = value
      await browser.storage.session.set({ [key]: value })
    },
  }
}

/** Creates a queue that runs tasks one after another, in the order in which they were added. */
export function taskQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const turn = last.then(task)
    last = turn.catch(() => undefined)
    return turn
  }
}
