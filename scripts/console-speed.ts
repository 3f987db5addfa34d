// `node scripts/console-speed.ts --data FOLDER | --database URL [--rounds 5]`: how fast the console's lists come in a real
// browser, with as many records as a data folder or a PostgreSQL database has (`npm run bench` leaves a folder with a
// million at `bench/.cache/1000000/sqlite`). An administrator is made in it. Times depend on the machine and on what else
// it does: they are printed, and nothing fails.
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
  throw new Error('--data FOLDER or --database URL is missing: the data folder or the database to look at')
const rounds = Number(values.rounds)

const lists = [
  ...['employees', 'accounts', 'apps', 'browsers', 'extensions', 'findings', 'detections'],
  'installations?sort=-creationTimestamp',
  'installations?permissions=tabs',
  'employees?sort=-email',
  'accounts?sort=-lastUsedTimestamp',
]

/**
 * Milliseconds from going to a list, as a click does, until its first row is painted: its part of the page is loaded, its
 * records are asked for, and nothing of it was kept.
 */
async function timeList({ address }: ConsoleWorld, page: Page, path: string): Promise<number> {
  await page.goto(`${address}/console/nowhere`)
  await settle(page)
  return page.evaluate(`(async () => {
    const beganMs = performance.now()
    history.pushState({}, '', '/console/${path}')
    dispatchEvent(new PopStateEvent('popstate'))
    while (performance.now() - beganMs < 20000) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      if (document.querySelector('.grid-row:not(.waiting)')) return performance.now() - beganMs
    }
    return Number.NaN
  })()`)
}

/** Types into the search of a list, and tells how long the page was kept from painting at the longest. */
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
  const beganMs = performance.now()
  await page.keyboard.type(text, { delay: 60 })
  const typedMs = performance.now()
  await page.waitForURL(`**search=${text}*`)
  // Where nothing is found, there is no grid.
  await page.locator('[role=grid][aria-busy=false], .empty').waitFor()
  const foundMs = performance.now() - typedMs
  const longest = (await page.evaluate('longest')) as number
  return `${Math.round(typedMs - beganMs)} ms for ${text.length} keys, longest frame ${Math.round(longest)} ms, found ${Math.round(foundMs)} ms after the last key`
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
  const beganMs = performance.now()
  await page.goto(`${world.address}/console/extensions`)
  await page.locator('.grid-row:not(.waiting)').first().waitFor({ timeout: 300_000 })
  console.log(`extensions were counted ${Math.round(performance.now() - beganMs)} ms after the first look`)
  for (const path of lists) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await timeList(world, page, path))
    times.sort((one, other) => one - other)
    const [least, middle, most] = [times[0], times[Math.floor(times.length / 2)], times.at(-1)]
    const text = [least, middle, most]
      .map((ms) =>
        Math.round(ms ?? Number.NaN)
          .toString()
          .padStart(6),
      )
      .join('')
    console.log(`${path.padEnd(40)}${text} ms from the click to the first row (least, middle, most)`)
  }
  console.log(`employees, typing: ${await timeTyping(world, page, 'employees', 'hopper')}`)
  for (const text of ['password', 'e', 'qu', 'nobodyhasthis'])
    console.log(`installations, typing ${text}: ${await timeTyping(world, page, 'installations', text)}`)
} finally {
  await world.stop()
}
