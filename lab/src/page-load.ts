import type { BrowserContext } from 'playwright-core'

/** Timing of one page load. */
export interface PageLoad {
  /** Time since the start of the navigation; milliseconds. */
  readonly domContentLoadedMs: number
  readonly loadMs: number
  /** Processor time of the page's main thread for all tasks, and for scripts; milliseconds. */
  readonly taskMs: number
  readonly scriptMs: number
  /** Number of tasks longer than 50 ms, and the longest task in milliseconds. */
  readonly longTasks: number
  readonly longestTaskMs: number
}

/** Time for which a page is watched after its load event, because work that the agent defers is part of its cost. */
export const watchedMs = 2_600

/** Runs in the page: returns its timing once the page is idle. */
const figures = `new Promise((resolve) => {
  const tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  setTimeout(() => {
    const [navigation] = performance.getEntriesByType('navigation')
    resolve({
      domContentLoadedMs: navigation.domContentLoadedEventEnd,
      loadMs: navigation.loadEventEnd,
      longTasks: tasks.length,
      longestTaskMs: Math.max(0, ...tasks),
    })
  }, ${watchedMs})
})`

/**
 * Loads a page in a new tab of Chromium and measures it.
 *
 * @param slowdown CPU slowdown factor for the page; 1 for none
 */
export async function loadPage(context: BrowserContext, url: string, slowdown: number): Promise<PageLoad> {
  const page = await context.newPage()
  try {
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    if (slowdown !== 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(url)
    const timing = (await page.evaluate(figures)) as Omit<PageLoad, 'taskMs' | 'scriptMs'>
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
    return { ...timing, taskMs: seconds('TaskDuration') * 1000, scriptMs: seconds('ScriptDuration') * 1000 }
  } finally {
    await page.close()
  }
}
