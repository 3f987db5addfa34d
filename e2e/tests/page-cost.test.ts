import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { sizeOf, watchScripts } from '../src/agent-scripts.ts'
import { connectedBrowser } from '../src/connect.ts'
import { firefoxAgent } from '../src/firefox-browser.ts'
import { agentFolder } from '../src/make-world.ts'
import { inWorld } from '../src/world.ts'

const everyFrame = ['loader.js', 'page-world.js']

describe.each([
  ['Chromium', agentFolder],
  ['Firefox', firefoxAgent],
])('the agent built for %s', (_, folder) => {
  test('injects at most 12 KB of script into a frame without a form, 5 KB gzipped', () => {
    const { bytes, gzipBytes } = sizeOf(folder, everyFrame)
    expect(bytes).toBeLessThanOrEqual(12_000)
    expect(gzipBytes).toBeLessThanOrEqual(5_000)
  })

  test('injects at most 60 KB of script into a page with a form, 20 KB gzipped', () => {
    const { bytes, gzipBytes } = sizeOf(folder, [...everyFrame, 'observe.js'])
    expect(bytes).toBeLessThanOrEqual(60_000)
    expect(gzipBytes).toBeLessThanOrEqual(20_000)
  })

  test('injects no more than that into a page that it judges', () => {
    const { bytes, gzipBytes } = sizeOf(folder, [...everyFrame, 'observe.js', 'features.js'])
    expect(bytes).toBeLessThanOrEqual(60_000)
    expect(gzipBytes).toBeLessThanOrEqual(20_000)
  })

  test('injects at most 120 KB of script into a page with a login in progress, 50 KB gzipped', () => {
    const { bytes, gzipBytes } = sizeOf(folder, [...everyFrame, 'observe.js', 'features.js', 'login.js'])
    expect(bytes).toBeLessThanOrEqual(120_000)
    expect(gzipBytes).toBeLessThanOrEqual(50_000)
  })
})

inWorld('a page with frames', (world) => {
  let browser: AgentBrowser

  beforeAll(async () => {
    ;({ browser } = await connectedBrowser(world, 'ada@acme-works.example'))
  })

  test('loads the observer in frames with a form, and only the loader in others', async () => {
    const site = 'https://portal.brassworks.example'
    const page = await browser.context.newPage()
    const scripts = await watchScripts(page, world.agentId)
    await page.goto(`${site}/framed?frame=${site}/terms&frame=${site}/login&frame=${site}/help`)
    const observed = () => scripts().filter(({ files }) => files.includes('observe.js'))
    await until('observer', () => observed().length > 0)
    expect(observed().map(({ frame }) => frame)).toEqual([`${site}/login`])
    const others = scripts().filter(({ frame }) => !frame.endsWith('/login'))
    expect(others.map(({ files }) => files)).toEqual([everyFrame, everyFrame, everyFrame])
  })

  test('loads the part for login attempts once the password field gets the focus', async () => {
    const page = await browser.context.newPage()
    const scripts = await watchScripts(page, world.agentId)
    await page.goto('https://portal.brassworks.example/login')
    const files = () => scripts().flatMap(({ files }) => files)
    await until('observer', () => files().includes('observe.js'))
    expect(files()).not.toContain('login.js')
    await page.locator('input[type=password]').click()
    await until('part for attempts', () => files().includes('login.js'))
  })
})
