import type { Page } from 'playwright-core'

/** What was seen of a page. */
export interface Watched {
  /** Requests of the page that have no answer yet. */
  pending: number
  /** It was shown before all its answers had come, as it is when they take too long (console/src/ui/page/page.tsx). */
  early: boolean
  /** How far what is shown has moved by itself since the page was loaded (Cumulative Layout Shift). */
  shift: number
  /** What moved. */
  readonly moved: string[]
}

/** What runs in each page before its own scripts; it is text because it knows the types of a browser, as we do not. */
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

/** Lets us see what a page asks for and how far what it shows moves. */
export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(watching)

/**
 * Waits until a page has a heading and all that it has asked for, and shows it, for three frames. It is looked at with each
 * frame, where a locator looks after half a second again.
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

/** What was seen of a page since it was loaded. */
export const watchedOf = (page: Page): Promise<Watched> => page.evaluate('watched')

/** Pixels by which the document is higher than the window. The parts of the shell scroll, the document never does. */
export const heightBeyond = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollHeight - innerHeight')

/** How many pixels of a page lie beyond the side of the window. */
export const widthBeyond = (page: Page): Promise<number> =>
  page.evaluate(
    `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#main') ?? document.documentElement)`,
  )
