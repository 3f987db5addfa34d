import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const axeSource = readFileSync(axePath, 'utf8')

/**
 * Rules to check: all; only color contrast, the only one that another color scheme can break; or all except color
 * contrast, which is the slowest.
 */
export type AxeRules = 'all' | 'colors' | 'structure'

/** Returns the axe violations of a page, also the minor ones and those of best practices, each with its first location. */
export async function axeFaults(page: Page, rules: AxeRules = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeSource)
  return page.evaluate(async (asked) => {
    type Found = { id: string; nodes: { html: string }[] }
    type Options = { runOnly?: string[]; rules?: object; resultTypes: string[] }
    const { axe } = globalThis as unknown as {
      axe: { run(options: Options): Promise<{ violations: Found[] }> }
    }
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(asked === 'colors' ? { runOnly: ['color-contrast'] } : {}),
      ...(asked === 'structure' ? { rules: { 'color-contrast': { enabled: false } } } : {}),
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
  }, rules)
}
