import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { comeBack } from '../src/come-back.ts'
import { inDialog } from '../src/console-dialog.ts'
import { counted, pressAtOnce } from '../src/console-keyboard.ts'
import { consoleRecords } from '../src/console-records.ts'
import { type ConsoleWorld, consoleWorld, owner } from '../src/console-world.ts'
import { settle, watchPage } from '../src/page-watch.ts'

const { email, password } = owner

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const rows = (page: Page) => page.locator('.grid-row:not(.waiting)')
const countOf = (page: Page) => page.locator('.page-head [role=status]').innerText()

describe('the console', () => {
  let world: ConsoleWorld
  let page: Page

  beforeAll(async () => {
    world = await consoleWorld('postgres', { ...consoleRecords() })
    page = await world.open()
    await watchPage(page)
  })
  afterAll(async () => {
    await world.stop()
  })

  test('the setup link creates the first administrator with a strong password', async () => {
    await page.goto(world.setupLink)
    await page.getByLabel('Organization name').fill('Engine Works')
    await page.getByLabel('Your name').fill('Ada Byron')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('short')
    await button(page, 'Continue').click()
    await page.getByText('must have at least 12 characters').waitFor()
    await page.getByLabel('Password').fill(password)
    await button(page, 'Continue').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.getByRole('navigation').getByText('Engine Works').waitFor()
  })

  test('a key is shown once and is refused after it was revoked', async () => {
    await page.goto(`${world.address}/console/keys`)
    await button(page, 'Create key').first().click()
    await page.getByLabel('Name', { exact: true }).fill('collector')
    await inDialog(page, 'Create key').click()
    const key = await page.getByRole('dialog').locator('code').first().innerText()
    const answer = () =>
      page.request.get(`${world.address}/v1/employees?limit=1`, { headers: { 'x-api-key': key } })
    expect((await answer()).status()).toBe(200)
    await inDialog(page, 'I have copied it').click()
    await page.reload()
    await page.getByRole('link', { name: 'collector' }).click()
    await page.getByRole('heading', { name: 'collector' }).waitFor()
    expect(await page.content()).not.toContain(key)
    await button(page, 'Revoke key').click()
    await inDialog(page, 'Revoke key').click()
    await page.locator('.page-head').getByText('Revoked').waitFor()
    await until('refusal of the key', async () => (await answer()).status() === 401)
  })

  test('search and sort order are kept in the URL', async () => {
    await page.goto(`${world.address}/console/employees`)
    await rows(page).first().waitFor()
    await until('the count of all', async () => (await countOf(page)) === '100 employees')
    await page.keyboard.press('/')
    await page.keyboard.type('hopper')
    await until('the count of those found', async () => (await countOf(page)) === '10 employees')
    const header = page.getByRole('columnheader', { name: 'E-mail address' }).getByRole('button')
    await header.click()
    await page.waitForURL('**/employees?search=hopper&sort=email')
    await header.click()
    await until('sorted rows', async () => (await rows(page).first().innerText()).includes('tony.hopper@'))
    await page.waitForURL('**/employees?search=hopper&sort=-email')
    await page.reload()
    await until('the same rows', async () => (await rows(page).first().innerText()).includes('tony.hopper@'))
    expect(new URL(page.url()).search).toBe('?search=hopper&sort=-email')
  })

  test('filters can be saved, and an enrollment link is sent by e-mail', async () => {
    await button(page, 'Saved').press('Enter')
    await page.getByRole('menuitem', { name: 'Save filters…' }).press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('All the Hoppers')
    await page.keyboard.press('Enter')
    await page.getByText('“All the Hoppers” saved.').waitFor()
    await page.goto(`${world.address}/console/employees`)
    await until('the count of all', async () => (await countOf(page)) === '100 employees')
    await button(page, 'Saved').press('Enter')
    await page.getByRole('menuitem', { name: 'All the Hoppers' }).press('Enter')
    await counted(page, '10 employees')
    expect(new URL(page.url()).search).toBe('?search=hopper&sort=-email')
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Niklaus Hopper' }).waitFor()
    await page.keyboard.press('u')
    await page.waitForURL('**/employees?search=hopper&sort=-email')
    await page.locator('.grid-row.active', { hasText: 'Niklaus Hopper' }).waitFor()
    await page.getByRole('link', { name: 'Tony Hopper' }).click()
    const crumb = page.getByRole('main').getByRole('link', { name: 'Employees', exact: true })
    expect(await crumb.getAttribute('href')).toBe('/console/employees?search=hopper&sort=-email')
    await button(page, 'Enroll browser').press('Enter')
    await inDialog(page, 'Email link').press('Enter')
    await page
      .getByText('in the “mail” folder of the data folder, addressed to tony.hopper@example.com')
      .waitFor()
    expect(await page.getByRole('dialog').locator('.secret code').innerText()).toMatch(/\/enroll\//)
  })

  test('detections are triaged with the keyboard, and stored markup does not run', async () => {
    await page.goto(`${world.address}/console/detections`)
    await rows(page).first().waitFor()
    await until('the count of all', async () => (await countOf(page)) === '10 detections')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('e')
    await page.getByText('2 archived.').waitFor()
    await until('the count without them', async () => (await countOf(page)) === '8 detections')
    await page.keyboard.press('z')
    await until('the count with them again', async () => (await countOf(page)) === '10 detections')
    await pressAtOnce(page, 'e', 'e')
    await until('the count without two others', async () => (await countOf(page)) === '8 detections')
    await settle(page)
    const away = /\/console\/api\/(?:lists|records)\/detections/
    await page.route(away, (route) => route.abort())
    await page.keyboard.press('e')
    await page.getByText('1 failed: The server cannot be reached').waitFor()
    await until('what was not archived', async () => (await rows(page).count()) === 8)
    await page.unroute(away)
    await page.keyboard.press('o')
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    await page.keyboard.press('t')
    const classified = page.locator('[aria-pressed=true]', { hasText: 'True positive' })
    await classified.waitFor()
    await page.keyboard.press('z')
    await classified.waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await rows(page).first().waitFor()
    expect(world.complaints).toEqual([])
  })

  test('the active row follows its record when newer ones are added on top', async () => {
    const pathOfActive = () => page.locator('.grid-row.active .first a').getAttribute('href')
    await settle(page)
    const before = await pathOfActive()
    await page.keyboard.press('j')
    await until('the next row', async () => (await pathOfActive()) !== before)
    const path = await pathOfActive()
    await page.route('**/console/api/lists/detections?*', async (route) => {
      const response = await route.fetch()
      const list = await response.json()
      const newer = { ...list.records[0], id: 'newer' }
      await route.fulfill({ response, json: { ...list, records: [newer, ...list.records] } })
    })
    await comeBack(page, '/console/api/lists/detections')
    await page.locator('.grid-row a[href$="/newer"]').waitFor()
    const classified = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.keyboard.press('f')
    expect(new URL((await classified).url()).pathname.split('/').at(-1)).toBe(path?.split('/').at(-1))
    await page.getByText('1 classified as false positive.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('actions on a detection are queued and run once', async () => {
    await page.goto(`${world.address}/console/detections`)
    await rows(page).first().waitFor()
    await page.keyboard.press('o')
    await page.getByRole('heading', { name: 'Classification' }).waitFor()
    const bodies: unknown[] = []
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/console/api/records/detections/*', async (route) => {
      if (route.request().method() === 'PATCH') {
        bodies.push(route.request().postDataJSON())
        await answered
      }
      await route.continue()
    })
    await page.keyboard.press('t')
    await page.locator('.page-head [aria-busy=true]').waitFor()
    await pressAtOnce(page, 'e', 'e')
    answer()
    await page.locator('.page-head').getByText('Archived', { exact: true }).waitFor()
    await page.locator('[aria-pressed=true]', { hasText: 'True positive' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    expect(bodies).toEqual([{ classification: 'TRUE_POSITIVE' }, { archived: true }])
  })

  test('an authenticator app is set up, asked for, and replaced by a recovery code', async () => {
    await page.goto(`${world.address}/console/account`)
    await button(page, 'Set up').click()
    const secret = await page.getByRole('dialog').locator('code').innerText()
    await page.getByLabel('Code from the app').fill(new TOTP({ secret }).generate())
    await inDialog(page, 'Confirm').click()
    const code = await page.locator('.codes li').first().innerText()
    await inDialog(page, 'I have saved my codes').click()
    await button(page, /Ada Byron/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('a wrong password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor()
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Security and sessions' }).waitFor()
    await page.getByText('9 left').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/account')
  })

  test('a passkey is added and signs in', async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2' as const,
      transport: 'internal' as const,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    }
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
    await button(page, 'Add passkey').click()
    await page.getByLabel('Name').fill('Laptop')
    await inDialog(page, 'Continue').click()
    await page.getByText('Passkey “Laptop”').waitFor()
    await button(page, 'Sign out everywhere').click()
    await inDialog(page, 'Sign out everywhere').click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await button(page, 'Use a passkey').click()
    await page.getByText('Use the passkey on this device').waitFor()
    await button(page, 'Use a passkey').click()
    await page.getByRole('heading', { name: 'Security and sessions' }).waitFor()
    await page.getByText('Passkey “Laptop”').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/account')
  })

  test('a read-only administrator sees no modifying actions', async () => {
    await page.goto(`${world.address}/console/administrators`)
    await button(page, 'Invite administrator').click()
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await inDialog(page, 'Send invitation').click()
    const link = await page.getByRole('dialog').locator('code').innerText()
    const other = await world.open()
    await other.goto(link)
    await other.getByLabel('Your name').fill('Grace Hopper')
    await other.getByLabel('Password').fill('another horse battery staple')
    await button(other, 'Continue').click()
    await other.getByRole('heading', { name: 'Overview' }).waitFor()
    await other.goto(`${world.address}/console/detections`)
    await rows(other).first().waitFor()
    expect(await other.locator('.grid-check').count()).toBe(0)
    for (const key of ['x', 'X', '?']) await other.keyboard.press(key)
    await other.getByRole('dialog').getByText('Next', { exact: true }).waitFor()
    expect(await other.getByRole('dialog').getByText('Select').count()).toBe(0)
    expect(await other.getByRole('region', { name: 'Selected records' }).count()).toBe(0)
    await other.goto(`${world.address}/console/keys`)
    await other.getByText('Show expired and revoked keys').waitFor()
    expect(await button(other, 'Create key').count()).toBe(0)
  })

  test('there were no script errors and no policy violations', () => {
    expect(world.complaints).toEqual([])
  })
})
