import type { BrowserContext } from 'playwright-core'

/** What one load of a page took. */
export interface PageLoad {
  /** From the start of the navigation; milliseconds. */
  readonly domContentLoadedMs: number
  readonly loadMs: number
  /** Processor time of the page's main thread: all of its tasks, and the scripts in them; milliseconds. */
  readonly taskMs: number
  readonly scriptMs: number
  /** Tasks of more than 50 ms, and the longest of them; milliseconds. */
  readonly longTasks: number
  readonly longestTaskMs: number
}

/** How long a page is watched after its load event: what the agent puts off is part of its cost. */
export const watchedMs = 2_600

/** Runs in the page: figures of its load, when nothing is under way any more. */
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
 * @param slowdown factor by which the processor is slowed down for the page; 1 for none
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
