import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { reportedEvents } from '../../e2e/src/reported-events.ts'
import { type LabBrowser, openLabBrowser } from './lab-browser.ts'
import type { BrowserName, Draw, Flow, Product } from './lab-product.ts'
import type { LabWorld } from './lab-world.ts'
import { loginFlows } from './login-flows.ts'
import { installProduct } from './product-install.ts'
import { describeExpected, describeLogin, type FlowResult, faultsOf, type SeenLogin } from './score.ts'
import { openStage } from './stage.ts'

/** Maximum time from the end of a flow until its login reaches Muster. */
const reportMs = 20_000
/** Time to wait for surplus or false logins. */
const quietMs = 2_500

/** Selection of flows to run. */
export interface RunChoice {
  readonly browser: BrowserName
  readonly quick: boolean
  /** Only flows whose name contains this text. */
  readonly flow?: string | undefined
  /** Folder for a screenshot and the agent's judgments of each flow that is wrong or did not run. */
  readonly pictures?: string | undefined
  /** Number of runs of each flow. */
  readonly repeat: number
  /** Number of browsers for products with independent flows. */
  readonly browsers: number
  /** Random flows instead of the fixed ones, for products that support it. */
  readonly draw: Draw | undefined
}

/** Returns all flows of a product, those of its login form first. */
export const flowsOf = ({ login, flows = [] }: Product): Flow[] => [
  ...(login ? loginFlows(login) : []),
  ...flows,
]

/**
 * Installs and starts a product, and runs its flows in a fresh browser.
 *
 * @throws NotInstalled if its packages are not available
 */
export async function runProduct(
  product: Product,
  lab: LabWorld,
  choice: RunChoice,
  report: (result: FlowResult) => void,
): Promise<FlowResult[]> {
  const fixed = choice.draw === undefined ? flowsOf(product) : (product.draw?.(choice.draw) ?? [])
  const flows = fixed
    .filter(({ browsers }) => browsers?.includes(choice.browser) ?? true)
    .filter(({ quick }) => quick || !choice.quick || choice.draw !== undefined)
    .filter(({ name }) => choice.flow === undefined || name.includes(choice.flow))
    .flatMap((flow) => Array.from({ length: choice.repeat }, () => flow))
  const stage = openStage(product, await installProduct(product), lab.web, lab.world.muster, lab.world.secret)
  const results: FlowResult[] = []
  try {
    await product.start(stage)
    for (const { password } of product.login?.accounts ?? []) stage.secret(password)
    const browsers = flows.every(({ host }) => host !== undefined) ? choice.browsers : 1
    const remaining = flows.values()
    const work = async (index: number) => {
      await using browser = await openLabBrowser(lab, product, choice.browser, index)
      for (const flow of remaining) {
        const result = await runFlow(product, lab, browser, flow, choice)
        results.push(result)
        report(result)
      }
    }
    await Promise.all(Array.from({ length: Math.min(browsers, flows.length) }, (_, index) => work(index)))
  } finally {
    await stage.end()
  }
  return results
}

async function runFlow(
  product: Product,
  { world, web }: LabWorld,
  { person, judged }: LabBrowser,
  flow: Flow,
  { browser, pictures }: RunChoice,
): Promise<FlowResult> {
  const ofFlow = (): SeenLogin[] =>
    reportedEvents(world, 'LOGIN').filter(({ loginUrl }) => isBelow(new URL(loginUrl).host, flow.host))
  const before = ofFlow().length
  const arrived = (): SeenLogin[] => ofFlow().slice(before)
  const facts = {
    product: product.name,
    browser,
    flow: flow.name,
    expected: describeExpected(flow.expect),
  }
  let broken: string | undefined
  try {
    web.slow(flow.conditions?.delay)
    if (flow.conditions?.cpu !== undefined) await person.slowCpu(flow.conditions.cpu)
    await flow.run(person)
    await waitFor(
      () => arrived().length >= Math.max(flow.expect.length, 1),
      flow.expect.length > 0 ? reportMs : quietMs,
    )
  } catch (error) {
    broken = (error as Error).message.split('\n')[0] ?? 'failed'
  }
  web.slow(undefined)
  if (pictures !== undefined && (broken !== undefined || arrived().length !== flow.expect.length)) {
    mkdirSync(pictures, { recursive: true })
    const name = `${product.name} ${flow.name}`.replaceAll(/\W+/g, '-')
    // A popup that closed itself leaves no window to take a picture of.
    const picture = await person.picture().catch(() => null)
    if (picture) writeFileSync(join(pictures, `${name}.png`), picture)
    writeFileSync(join(pictures, `${name}.json`), JSON.stringify((await judged()) ?? null, null, 1))
  }
  await person.leave(web.hosts()).catch((error: Error) => {
    broken ??= `${error.message.split('\n')[0]} (at the end)`
  })
  await waitFor(() => arrived().length > flow.expect.length, quietMs)
  const seen = arrived()
  return {
    ...facts,
    seen: seen.length === 0 ? 'none' : seen.map(describeLogin).join('; '),
    faults: broken === undefined ? faultsOf(flow.expect, seen, product.host) : [],
    ...(broken === undefined ? {} : { broken }),
  }
}

const isBelow = (host: string, parent: string | undefined): boolean =>
  parent === undefined || host === parent || host.endsWith(`.${parent}`)

/** Waits until a condition holds or the time is over. */
async function waitFor(holds: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs
  while (!holds() && performance.now() < end) await wait(100)
}
