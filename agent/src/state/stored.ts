import { browser } from 'wxt/browser'

/**
 * Value in the extension's own storage, which pages and other extensions cannot read. The background may be stopped
 * between any two events, so everything that must persist is stored here.
 */
export interface Stored<T> {
  read(): Promise<T>
  /**
   * Reads, changes and writes the value. Changes run one after the other, so none is lost.
   *
   * @param change returns the new value; nothing is written if it is the same value
   * @returns the stored value
   */
  change(change: (value: T) => T): Promise<T>
}

/** Last pending change of each key. */
const lastChange = new Map<string, Promise<unknown>>()

/**
 * Creates a value stored under a key of `storage.local`.
 *
 * @param key unique in the agent
 * @param initial value until the first change
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
