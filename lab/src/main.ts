// `npm run lab`: installs real products, logs in to them in real browsers with the agent, and scores the events that
// arrive at Muster. Options are described in lab/README.md.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setup as buildAgent } from '../../e2e/src/build-agent.setup.ts'
import { costLines, measureCost } from './cost.ts'
import type { BrowserName, Product } from './lab-product.ts'
import { type LabWorld, openLabWorld } from './lab-world.ts'
import { NotInstalled } from './product-install.ts'
import { loadProducts } from './product-list.ts'
import { flowsOf, type RunChoice, runProduct } from './run-product.ts'
import { type FlowResult, percentRight } from './score.ts'
import { resultLine, summaryLines } from './score-table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'string', default: 'chromium' },
    browsers: { type: 'string', default: '2' },
    cost: { type: 'boolean', default: false },
    count: { type: 'string' },
    flow: { type: 'string' },
    json: { type: 'string' },
    loads: { type: 'string', default: '15' },
    list: { type: 'boolean', default: false },
    pictures: { type: 'string' },
    quick: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    slowdown: { type: 'string', default: '1' },
    target: { type: 'string', default: '98' },
  },
})

const products = await loadProducts(positionals)
if (values.list) for (const line of listed(products)) console.log(line)
else if (values.cost) for (const line of await cost()) console.log(line)
else
  process.exitCode = await run(
    products.filter(({ quick }) => !values.quick || positionals.length > 0 || quick),
  )

function listed(all: readonly Product[]): string[] {
  return all.map((product) => {
    const flows = flowsOf(product).map(({ name }) => name)
    return `${product.name.padEnd(20)} ${String(flows.length).padStart(2)} flows  ${flows.join(', ')}`
  })
}

async function cost(): Promise<string[]> {
  buildAgent()
  return costLines(await measureCost({ loads: Number(values.loads), slowdown: Number(values.slowdown) }))
}

async function run(chosen: readonly Product[]): Promise<number> {
  buildAgent()
  const choice: RunChoice = {
    browser: browserNamed(values.browser),
    quick: values.quick,
    flow: values.flow,
    pictures: values.pictures,
    repeat: Number(values.repeat),
    browsers: Number(values.browsers),
    draw: values.count === undefined ? undefined : { count: Number(values.count), seed: Number(values.seed) },
  }
  const results: FlowResult[] = []
  const notInstalled: string[] = []
  const lab = await openLabWorld()
  let found: string[] = []
  try {
    for (const product of chosen) await runOne(product, lab, choice, results, notInstalled)
    found = lab.leaks()
  } finally {
    await lab.end()
  }
  console.log(`\n${summaryLines(results).join('\n')}`)
  for (const leak of found) console.log(`LEAK ${leak}`)
  console.log(`${found.length} leaks of ${lab.secrets()} passwords`)
  console.log(`not installed: ${notInstalled.join(', ') || 'none'}`)
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ results, notInstalled, leaks: found }, null, 2)}\n`)
  return percentRight(results) >= Number(values.target) && found.length === 0 ? 0 : 1
}

/** Runs one product. A product that does not start is one broken result and does not stop the others. */
async function runOne(
  product: Product,
  lab: LabWorld,
  choice: RunChoice,
  results: FlowResult[],
  notInstalled: string[],
): Promise<void> {
  const report = (result: FlowResult) => console.log(resultLine(result))
  const note = (result: FlowResult) => {
    results.push(result)
    report(result)
  }
  try {
    await runProduct(product, lab, choice, note)
  } catch (error) {
    if (error instanceof NotInstalled) {
      console.log(`not installed: ${error.message}`)
      notInstalled.push(product.name)
      return
    }
    const broken = (error as Error).message.slice(0, 2_000)
    note({
      product: product.name,
      browser: choice.browser,
      flow: 'start',
      expected: '',
      seen: '',
      faults: [],
      broken,
    })
  }
}

function browserNamed(name: string): BrowserName {
  if (name === 'chromium' || name === 'firefox') return name
  throw new Error(`unknown browser ${name}: chromium or firefox`)
}
