import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { AgentBrowser } from '../../e2e/src/agent-browser.ts'
import { type FrameScripts, sizeOf, watchScripts } from '../../e2e/src/agent-scripts.ts'
import { connectedBrowser } from '../../e2e/src/connect.ts'
import { costHost, costPages } from './cost-pages.ts'
import { openCostWorld } from './cost-world.ts'
import { loadPage, type PageLoad, watchedMs } from './page-load.ts'

/** Options of a cost measurement. */
export interface CostOptions {
  /** Number of loads of each page with the agent, and of as many without. */
  readonly loads: number
  /** CPU slowdown factor; 1 for none. */
  readonly slowdown: number
  /** Names of pages. Default: all. */
  readonly pages?: readonly string[]
  /** Build of the agent for Chromium. */
  readonly agentFolder?: string
}

/** Size of scripts, plain and gzipped. */
interface ScriptSize {
  readonly bytes: number
  readonly gzipBytes: number
}

/** Cost of the agent for one page: medians of its loads. */
export interface CostRow {
  readonly page: string
  readonly withAgent: PageLoad
  readonly without: PageLoad
  readonly scripts: readonly (FrameScripts & ScriptSize)[]
}

const builtAgent = join(import.meta.dirname, '..', '..', 'agent', 'dist', 'chromium')

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[Math.floor(index)] ?? Number.NaN
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2
}

const members = ['domContentLoadedMs', 'loadMs', 'taskMs', 'scriptMs', 'longTasks', 'longestTaskMs'] as const

function medianLoad(loads: readonly PageLoad[]): PageLoad {
  const entries = members.map((member) => [member, median(loads.map((load) => load[member]))])
  return Object.fromEntries(entries) as PageLoad
}

/**
 * Measures the cost of the agent for pages in Chromium. Loads with and without the agent alternate, so that other load
 * on the machine affects both. The first load of each is discarded.
 */
export async function measureCost({
  loads,
  slowdown,
  pages,
  agentFolder = builtAgent,
}: CostOptions): Promise<readonly CostRow[]> {
  await using world = await openCostWorld(agentFolder)
  const bare = await world.launchBare()
  const { browser } = await connectedBrowser(world, 'ada@acme-works.example')
  const load = ({ context }: AgentBrowser, path: string) =>
    loadPage(context, `https://${costHost}${path}`, slowdown)
  const scriptsOf = async ({ context }: AgentBrowser, path: string) => {
    const page = await context.newPage()
    const scripts = await watchScripts(page, world.agentId)
    await page.goto(`https://${costHost}${path}`)
    await wait(watchedMs)
    const found = scripts().map((frame) => ({ ...frame, ...sizeOf(agentFolder, frame.files) }))
    await page.close()
    return found
  }
  const rows: CostRow[] = []
  for (const { name, path } of costPages) {
    if (pages && !pages.includes(name)) continue
    const withAgent: PageLoad[] = []
    const without: PageLoad[] = []
    for (let round = 0; round <= loads; round++) {
      without.push(await load(bare, path))
      withAgent.push(await load(browser, path))
    }
    rows.push({
      page: name,
      withAgent: medianLoad(withAgent.slice(1)),
      without: medianLoad(without.slice(1)),
      scripts: await scriptsOf(browser, path),
    })
  }
  return rows
}

const ratio = (row: CostRow, member: (typeof members)[number]): string => {
  const { withAgent, without } = row
  const factor = (withAgent[member] / without[member]).toFixed(2)
  return `${without[member].toFixed(1)} → ${withAgent[member].toFixed(1)} ms (×${factor})`
}

/** Formats the results as text lines. */
export function costLines(rows: readonly CostRow[]): string[] {
  return rows.flatMap((row) => [
    row.page,
    `  DOMContentLoaded  ${ratio(row, 'domContentLoadedMs')}`,
    `  load              ${ratio(row, 'loadMs')}`,
    `  main thread       ${ratio(row, 'taskMs')}`,
    `  scripts           ${ratio(row, 'scriptMs')}`,
    `  long tasks        ${row.without.longTasks} → ${row.withAgent.longTasks}, longest ${row.without.longestTaskMs.toFixed(0)} → ${row.withAgent.longestTaskMs.toFixed(0)} ms`,
    ...row.scripts.map(
      ({ frame, files, bytes, gzipBytes }) =>
        `  script            ${bytes} bytes, ${gzipBytes} gzip: ${frame} ${files.join(' ')}`,
    ),
  ])
}
