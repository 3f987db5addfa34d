import type { AddressInfo } from 'node:net'
import { operations } from '@muster/contract/api/api'
import { errorCatalog } from '@muster/contract/api/errors'
import { methodOf, type Operation, tagOf } from '@muster/contract/api/operation'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { allOperations } from '../support/example-requests.ts'
import { type Harness, startHarness } from '../support/harness.ts'
import { until } from '../support/until.ts'

let harness: Harness
let browser: Browser
let origin = ''

beforeAll(async () => {
  harness = await startHarness('sqlite')
  await harness.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(harness.app.server.address() as AddressInfo).port}`
  const executablePath = programs.chromium.find()
  if (executablePath === undefined)
    throw new Error('Chromium was not found: run `npm test`, which installs it')
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--headless=new', '--disable-background-networking', '--disable-component-update'],
  })
})
afterAll(async () => {
  await browser?.close()
  await harness.close()
})

/** Opens a page and records violations of our rules for pages. */
async function open(path: string): Promise<{ page: Page; violations: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(60_000)
  const violations: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) violations.push(`asks ${url}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) violations.push(`${response.status()} for ${response.url()}`)
  })
  page.on('pageerror', (error) => violations.push(`error: ${error.message}`))
  // Violations of the content security policy are reported here, too.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) violations.push(`${message.type()}: ${message.text()}`)
  })
  await page.goto(`${origin}${path}`)
  return { page, violations }
}

test('the reference shows all 36 operations and loads nothing from other hosts', async () => {
  const { page, violations } = await open('/docs')
  expect(allOperations).toHaveLength(36)
  const heading = page.getByRole('heading', { name: 'Muster REST API' })
  await heading.waitFor()
  // Wide enough to read: global styles of ours squeezed the reference before.
  expect((await heading.boundingBox())?.width).toBeGreaterThan(200)
  for (const [, { summary }] of allOperations)
    await until(summary, async () => (await page.getByText(summary, { exact: true }).count()) > 0)
  expect(violations).toEqual([])
  await page.close()
}, 300_000)

/**
 * Opens an operation in the reference. @returns the card with its sample and its request button
 */
async function requestCard(page: Page, operation: Operation): Promise<Locator> {
  const [method, path] = [methodOf(operation), operation.path.replace('/:id', '/{id}')]
  await page.goto(`${origin}/docs#tag/${tagOf(operation).toLowerCase()}/${method}${path}`)
  const button = page.getByRole('button', { name: `Test Request (${method} ${path})` })
  return page.locator('.request-card', { has: button })
}

const samples = [
  ['addEmployee', /^curl \S+\/v1\/employees( -|$)/, true],
  ['listAccounts', /^curl \S+\/v1\/accounts( -|$)/, false],
  ['deleteAppLabel', /^curl \S+\/v1\/apps\/[^/?]+\/labels( -|$)/, true],
  ['createEnrollmentLink', /^curl \S+\/v1\/employees\/[^/?]+\/enrollmentLink( -|$)/, false],
] as const

test('samples contain the ID, the key and the body, and no optional parameters', async () => {
  const { page, violations } = await open('/docs')
  for (const [name, address, withBody] of samples) {
    const card = await requestCard(page, operations[name])
    // The page renders the sample again when it knows more.
    const sample = await until('sample', async () => {
      const text = (await card.locator('pre').innerText()).replaceAll(/\s*\\\s*/g, ' ')
      return text.includes(`curl ${origin}/`) && /x-api-key/i.test(text) && text
    })
    expect(sample).toMatch(address)
    const headers = [...sample.matchAll(/--header '([^:]+)/g)].map(([, header]) => header?.toLowerCase())
    expect(headers).toEqual([...(withBody ? ['content-type'] : []), 'x-api-key'])
    expect(sample.includes('--data')).toBe(withBody)
  }
  expect(violations).toEqual([])
  await page.close()
})

test('a request from the reference goes to the server that shows it, under any address', async () => {
  const { page } = await open('/docs')
  const card = await requestCard(page, operations.listAccounts)
  await card.getByRole('button', { name: 'Test Request' }).click()
  const [answer] = await Promise.all([
    page.waitForResponse(`${origin}/v1/accounts`),
    page.getByRole('button', { name: 'Send get request to' }).click(),
  ])
  expect(answer.status()).toBe(401)
  await page.close()
})

test('every error has a page that says what to do', async () => {
  const { page, violations } = await open('/docs')
  for (const [code, { title, status }] of Object.entries(errorCatalog)) {
    await page.goto(`${origin}/docs/errors/${code}`)
    expect(await page.getByRole('heading').textContent()).toBe(title)
    expect(await page.getByText(`Error ${status}`).count()).toBe(1)
  }
  expect(violations).toEqual([])
  await page.close()
})
