import { browser } from 'wxt/browser'

/**
 * A value in the extension's own storage, where pages and other extensions cannot read it. The background
 * may be stopped between any two events, so whatever must last is kept this way.
 */
export interface Stored<T> {
  read(): Promise<T>
  /**
   * Reads, changes and writes, one change after another, so that none is lost.
   *
   * @param change gives the new value; the same value again writes nothing
   * @returns the value as it is kept now
   */
  change(change: (value: T) => T): Promise<T>
}

/** Changes of one key wait for each other; each entry ends when its change is written. */
const lastChange = new Map<string, Promise<unknown>>()

/**
 * A value kept under a key of `storage.local`.
 *
 * @param key unique in the agent
 * @param initial what it is until it is first changed
 */
export function stored<T>(key: string, initial: T): Stored<T> {
  const read = async () => ((await browser.storage.local.get(key))[key] as T | undefined) ?? initial
  const write = async (change: (value: T) => T) => {
    const before = await read()
    const after = change(before)
    if (after !== before) await browser.storage.local.set({ [key]: after })
    return after
  }
  return {
    read,
    change: (change) => {
      const turn = (lastChange.get(key) ?? Promise.resolve()).then(() => write(change))
      lastChange.set(
        key,
        turn.catch(() => undefined),
      )
      return turn
    },
  }
}
