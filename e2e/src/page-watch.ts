import type { Page, ViewportSize } from 'playwright-core'
import type { ConsoleWorld } from './console-world.ts'

/** Observations of a page. */
export interface Watched {
  /** Number of pending requests. */
  pending: number
  /**
   * True if the page was shown before all responses arrived, which happens if they take too long
   * (console/src/ui/page/page.tsx).
   */
  early: boolean
  /** Cumulative Layout Shift since the page was loaded. */
  shift: number
  /** Elements that shifted. */
  readonly moved: string[]
}

/** Script that runs in each page before its own scripts. It is a string because its types are those of a browser. */
const watching = `
  const watched = { pending: 0, early: false, shift: 0, moved: [] }
  globalThis.watched = watched
  const ask = globalThis.fetch
  globalThis.fetch = async (...args) => {
    watched.pending += 1
    try {
      return await ask(...args)
    } finally {
      watched.pending -= 1
    }
  }
  new MutationObserver(() => {
    if (watched.pending > 0) watched.early = true
  }).observe(document, { subtree: true, attributeFilter: ['data-coming'] })
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      watched.shift += value
      for (const { node, previousRect, currentRect } of sources) {
        const [from, to] = [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].join())
        const shown = node?.outerHTML ?? node?.parentElement?.outerHTML ?? 'a node that is gone'
        watched.moved.push(shown.slice(0, 120) + ' from ' + from + ' to ' + to)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

/** Starts recording the requests and layout shifts of a page. */
export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(watching)

/**
 * Waits until a page has a heading and has shown all requested data for three frames. Checks on each frame, which is
 * faster than a locator's polling.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let frames = 0
    const look = () => {
      const isThere = watched.pending === 0 && !document.querySelector('.grid-row.waiting') &&
        document.querySelector('h1')?.checkVisibility({ visibilityProperty: true })
      frames = isThere ? frames + 1 : 0
      if (frames < 3) requestAnimationFrame(look)
      else resolve()
    }
    look()
  })`)
}

/** Returns the observations of a page since it was loaded. */
export const watchedOf = (page: Page): Promise<Watched> => page.evaluate('watched')

/**
 * Returns the height in pixels by which the document exceeds the window. Parts of the shell scroll, the document must
 * not.
 */
export const heightBeyond = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollHeight - innerHeight')

/** Returns the width in pixels by which a page exceeds the window. */
export const widthBeyond = (page: Page): Promise<number> =>
  page.evaluate(
    `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#main') ?? document.documentElement)`,
  )

/** Opens a watched page of the console in which animations are off and axe may run, and signs in as the owner. */
export async function openAsOwner(
  world: ConsoleWorld,
  viewport: ViewportSize = { width: 1440, height: 900 },
): Promise<Page> {
  const page = await world.open({ viewport, reducedMotion: 'reduce', bypassCSP: true })
  await watchPage(page)
  await world.becomeOwner(page)
  return page
}
