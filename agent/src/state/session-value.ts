import { browser } from 'wxt/browser'

/**
 * A value that outlives the background's worker, but not the browser: kept in memory that pages and content
 * scripts cannot reach. One read and write after the other, as its user sees to.
 */
export interface SessionValue<T> {
  read(): Promise<T>
  write(value: T): Promise<void>
}

/**
 * @param key unique in the agent
 * @param initial what it is until it is first written
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

/** Runs tasks one after another, in the order in which they were given. */
export function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const turn = last.then(task)
    last = turn.catch(() => undefined)
    return turn
  }
}
