// `node scripts/console-speed.ts --data FOLDER | --database URL [--rounds 5]`: measures how fast lists of the console load in a
// real browser, with the records of a data folder or a PostgreSQL database (`npm run bench` leaves a folder with a million
// records in `bench/.cache/1000000/sqlite`). Creates an administrator in it. Prints the times, which depend on the machine.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { type ConsoleWorld, consoleWorld } from '../e2e/src/console-world.ts'
import { settle, watchPage } from '../e2e/src/page-watch.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    database: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
})
const { data, database } = values
if (data === undefined && database === undefined)
  throw new Error('Missing option: --data FOLDER or --database URL')
const rounds = Number(values.rounds)

const lists = [
  'employees',
  'accounts',
  'apps',
  'browsers',
  'extensions',
  'findings',
  'detections',
  'installations?sort=-creationTimestamp',
  'installations?permissions=tabs',
  'employees?sort=-email',
  'accounts?sort=-lastUsedTimestamp',
]

/**
 * Measures the milliseconds from the navigation to a list until its first row is painted, including code and records, without
 * any cache.
 */
async function timeList({ address }: ConsoleWorld, page: Page, path: string): Promise<number> {
  await page.goto(`${address}/console/nowhere`)
  await settle(page)
  return page.evaluate(`(async () => {
    const startedMs = performance.now()
    history.pushState({}, '', '/console/${path}')
    dispatchEvent(new PopStateEvent('popstate'))
    while (performance.now() - startedMs < 20000) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      if (document.querySelector('.grid-row:not(.waiting)')) return performance.now() - startedMs
    }
    return Number.NaN
  })()`)
}

/** Types into the search of a list and reports the longest frame. */
async function timeTyping(
  { address }: ConsoleWorld,
  page: Page,
  path: string,
  text: string,
): Promise<string> {
  await page.goto(`${address}/console/${path}`)
  await page.locator('.grid-row:not(.waiting)').first().waitFor()
  await page.evaluate(`(() => {
    globalThis.longest = 0
    let lastMs = performance.now()
    const frame = (nowMs) => {
      globalThis.longest = Math.max(globalThis.longest, nowMs - lastMs)
      lastMs = nowMs
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })()`)
  await page.keyboard.press('/')
  const startedMs = performance.now()
  await page.keyboard.type(text, { delay: 60 })
  const typedMs = performance.now()
  await page.waitForURL(`**search=${text}*`)
  // There is no grid without results.
  await page.locator('[role=grid][aria-busy=false], .empty').waitFor()
  const foundMs = performance.now() - typedMs
  const longest = (await page.evaluate('longest')) as number
  return `${Math.round(typedMs - startedMs)} ms for ${text.length} keys, longest frame ${Math.round(longest)} ms, found ${Math.round(foundMs)} ms after the last key`
}

const world = await consoleWorld(
  'sqlite',
  {},
  {
    ...(data === undefined ? {} : { MUSTER_DATA: resolve(data) }),
    ...(database === undefined ? {} : { MUSTER_DATABASE_URL: database }),
  },
)
try {
  const page = await world.open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await watchPage(page)
  await world.becomeOwner(page)
  const startedMs = performance.now()
  await page.goto(`${world.address}/console/extensions`)
  await page.locator('.grid-row:not(.waiting)').first().waitFor({ timeout: 300_000 })
  console.log(
    `extensions were counted ${Math.round(performance.now() - startedMs)} ms after the page was opened`,
  )
  for (const path of lists) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await timeList(world, page, path))
    times.sort((one, other) => one - other)
    const [minimum, median, maximum] = [times[0], times[Math.floor(times.length / 2)], times.at(-1)]
    const text = [minimum, median, maximum]
      .map((ms) =>
        Math.round(ms ?? Number.NaN)
          .toString()
          .padStart(6),
      )
      .join('')
    console.log(`${path.padEnd(40)}${text} ms from the click to the first row (minimum, median, maximum)`)
  }
  console.log(`employees, typing: ${await timeTyping(world, page, 'employees', 'hopper')}`)
  for (const text of ['password', 'e', 'qu', 'nobodyhasthis'])
    console.log(`installations, typing ${text}: ${await timeTyping(world, page, 'installations', text)}`)
} finally {
  await world.stop()
}
