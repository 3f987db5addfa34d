import type { Locator } from 'playwright-core'

/**
 * Actions of a person in the console, counted. Each click counts, each choice in a menu, and the Enter key. Typing does not
 * count, but a click into a field that has no focus does. While a task is counted, nothing else may act on the page.
 */
export interface CountedClicks {
  /** Number of clicks so far. */
  readonly taken: number
  click(target: Locator): Promise<void>
  /** Chooses in a native menu: one click opens it, another one chooses. */
  choose(menu: Locator, label: string): Promise<void>
  type(field: Locator, text: string): Promise<void>
}

/** Starts counting at zero. */
export function countClicks(): CountedClicks {
  let taken = 0
  const click = async (target: Locator): Promise<void> => {
    taken += 1
    await target.click()
  }
  return {
    get taken() {
      return taken
    },
    click,
    async choose(menu, label) {
      taken += 2
      await menu.selectOption({ label })
    },
    async type(field, text) {
      await field.waitFor()
      const isReady = await field.evaluate((input) => input === input.ownerDocument.activeElement)
      if (!isReady) await click(field)
      await field.fill(text)
    },
  }
}
