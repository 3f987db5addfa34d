import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityProvider, identityProvider } from '../../test/support/identity-provider.ts'
import {
  confirm,
  dialogGone,
  goBy,
  pressButton,
  pressInDialog,
  titled,
  toldOf,
} from '../src/console-keyboard.ts'
import { type ConsoleWorld, consoleWorld, owner } from '../src/console-world.ts'

const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'wrong horse dead battery' }
const firstPassword = 'the first of two passwords'

/** Script that returns the elements of the page that the sign-in does not cover, sampled over the whole window. */
const uncovered = `Array.from({ length: 100 }, (_, place) =>
  document.elementFromPoint((place % 10) / 9 * (innerWidth - 1), Math.floor(place / 10) / 9 * (innerHeight - 1)))
  .filter((element) => !element?.closest('.sign-in-again')).map((element) => element?.tagName)`

/** Blocks the web font of the provider's login page, because tests must not use the internet. */
const keepHome = (of: Page) => of.context().route('https://fonts.googleapis.com/**', (route) => route.abort())

describe('sign-in to the console', () => {
  let idp: IdentityProvider
  let world: ConsoleWorld
  let page: Page
  /** Page of another owner. */
  let hers: Page

  beforeAll(async () => {
    world = await consoleWorld('sqlite', {}, async (address) => {
      idp = await identityProvider(`${address}/console/api/oidc/callback`)
      return {
        MUSTER_OIDC_ISSUER: idp.issuer,
        MUSTER_OIDC_CLIENT_ID: idp.clientId,
        MUSTER_OIDC_CLIENT_SECRET: idp.clientSecret,
        MUSTER_OIDC_NAME: 'Example ID',
      }
    })
    page = await world.open()
    await keepHome(page)
    await world.becomeOwner(page)
  })
  afterAll(async () => {
    await world.stop()
    await idp.close()
  })

  const signedOut = (of: Page) => of.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  const signOut = async () => {
    await page.getByRole('button', { name: new RegExp(owner.name) }).press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
    await signedOut(page)
  }
  const signIn = async (of: Page, password: string = owner.password, email: string = owner.email) => {
    await of.getByLabel('E-mail address').fill(email)
    await of.getByLabel('Password', { exact: true }).fill(password)
    const answered = of.waitForResponse('**/console/api/sign-in')
    // A previous response may still be pending, and the form ignores input until it has arrived.
    await of.locator('form button[type=submit]:enabled').first().waitFor()
    await of.keyboard.press('Enter')
    return (await answered).status()
  }
  /** Sends a request in the context of a page, independent of the page itself. */
  const post = async (of: Page, path: string, data?: object) => {
    const headers = { 'x-muster-console': '1', origin: world.address }
    const answer = await of.request.post(`${world.address}/console/api/${path}`, { headers, data })
    return answer.json()
  }
  /** Signs in at the provider, with consent the first time. */
  const loginAtProvider = async (name: string, consent: boolean, of: Page = page) => {
    await of.getByPlaceholder('Enter any login').fill(name)
    await of.getByPlaceholder('and password').fill('any')
    await of.keyboard.press('Enter')
    if (consent) await of.getByRole('button', { name: 'Continue' }).press('Enter')
  }
  const byProvider = (of: Page = page) =>
    of.getByRole('link', { name: 'Continue with Example ID' }).press('Enter')

  test('empty pages explain what to do next', async () => {
    await page.getByText('Add the employees whose browsers you want to protect').waitFor()
    const next = {
      Employees: 'Add employees here or through the API',
      Browsers: 'Send employees an enrollment link from their page',
      Accounts: 'Accounts appear when people sign in to apps in enrolled browsers.',
      'Unrecognized accounts':
        'Accounts appear here when people sign in to sites that are not in the catalog.',
      Apps: 'Apps appear when people use apps from the catalog in enrolled browsers.',
      'Unrecognized apps': 'Apps appear here when people sign in to sites that are not in the catalog.',
      'Browser extensions': 'Extensions appear when enrolled browsers report them.',
      'API keys': 'A key lets a program read the inventory',
    }
    for (const [title, text] of Object.entries(next)) {
      await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).press('Enter')
      await titled(page, title)
      await page.locator('.empty').getByText(text).waitFor()
    }
    expect(new URL(page.url()).pathname).toBe('/console/keys')
  })

  test('the command palette opens people and pages and sets the theme with the keyboard', async () => {
    await goBy(page, 'e', 'Employees')
    await pressButton(page, 'Add employee')
    await page.getByLabel('E-mail address').fill('grace.hopper@example.com')
    await page.getByLabel('First name').fill('Grace')
    await page.keyboard.press('Enter')
    await titled(page, 'Grace')
    await dialogGone(page)
    const find = async (text: string, option: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type(text)
      await page.getByRole('option', { name: option, selected: true }).waitFor()
    }
    await find('accounts', 'Accounts')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Unrecognized accounts', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await titled(page, 'Unrecognized accounts')
    await find('grace.hop', 'Grace grace.hopper@example.com')
    await page.keyboard.press('Enter')
    await titled(page, 'Grace')
    await goBy(page, 'e', 'Employees')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('grace.hopper')
    await page.keyboard.press('Enter')
    await titled(page, 'Grace')
    await find('theme: dark', 'Theme: dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Grace')
  })

  test('the command palette continues a search that stopped early in the list', async () => {
    const search = /\/console\/api\/search\?text=hop/
    await page.route(search, (route) => route.fulfill({ json: { employees: { records: [], more: true } } }))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('hop')
    await page.getByRole('option', { name: 'All matches in employees', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await titled(page, 'Employees')
    await page.getByRole('row').filter({ hasText: 'grace.hopper@example.com' }).waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('hop')
    await page.unroute(search)
  })

  test('a failed further page of a list is reported and retried on request only', async () => {
    const asked: string[] = []
    let refused = true
    const list = /\/console\/api\/lists\/employees\?/
    await page.route(list, async (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor')
      if (cursor !== null) asked.push(cursor)
      if (cursor !== null && refused)
        return route.fulfill({ status: 429, json: { detail: 'Too many requests.' } })
      if (cursor !== null) return route.fulfill({ json: { records: [], cursor: null } })
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), cursor: 'more' } })
    })
    await page.goto(`${world.address}/console/employees`)
    const alert = page.getByRole('alert').getByText('Too many requests.')
    await alert.waitFor()
    await page.keyboard.press('j')
    expect(asked).toEqual(['more'])
    refused = false
    const again = page.waitForResponse((response) => response.url().includes('cursor=more'))
    await pressButton(page, 'Load more')
    await again
    await alert.waitFor({ state: 'detached' })
    expect(asked).toEqual(['more', 'more'])
    await page.unroute(list)
  })

  test('a dialog restores the focus when it is closed with a button', async () => {
    await page.goto(`${world.address}/console/employees`)
    await pressButton(page, 'Add employee')
    await confirm(page, 'Cancel')
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Add employee')
  })

  test('failed requests are reported while offline', async () => {
    await pressButton(page, 'Add employee')
    await page.getByLabel('E-mail address').fill('nobody@example.com')
    await page.context().setOffline(true)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('The server cannot be reached').waitFor()
    await confirm(page, 'Cancel')
    await page.keyboard.press('/')
    await page.keyboard.type('nobody')
    const missing = page.getByRole('alert').getByText('Some data could not be loaded')
    await missing.waitFor()
    expect(await missing.innerText()).toContain('The server cannot be reached')
    await page.context().setOffline(false)
    await missing.waitFor({ state: 'detached' })
  })

  test('signing out everywhere ends other sessions immediately', async () => {
    const other = await world.open()
    await other.goto(`${world.address}/console/`)
    expect(await signIn(other)).toBe(200)
    await titled(other, 'Overview')
    await page.goto(`${world.address}/console/account`)
    await page.getByText('This session').waitFor()
    expect(await page.getByText('from 127.0.0.1').or(page.getByText('from ::1')).count()).toBe(2)
    await pressButton(page, 'Sign out everywhere')
    await pressInDialog(page, 'Sign out everywhere')
    await signedOut(page)
    expect(await page.getByRole('navigation').count()).toBe(0)
    // In direct succession, because a key sequence times out.
    await other.evaluate(
      `for (const key of ['g', 'k']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
    )
    await signedOut(other)
    await other.context().close()
  })

  test('a person without an invitation gets an error after single sign-on', async () => {
    idp.people.set('stranger', { email: 'stranger@example.com', email_verified: true })
    await byProvider()
    await loginAtProvider('stranger', true)
    await page.getByRole('alert').getByText('You have not been invited to this console.').waitFor()
    await page.context().clearCookies()
    await page.waitForURL((url) => url.search === '')
    expect(await page.getByRole('alert').count()).toBe(1)
  })

  test('single sign-on returns to the requested page', async () => {
    idp.people.set('ada', { email: owner.email, email_verified: true, name: owner.name })
    await page.goto(`${world.address}/console/keys`)
    await signedOut(page)
    await byProvider()
    await loginAtProvider('ada', true)
    await titled(page, 'API keys')
    await signOut()
    await byProvider()
    await titled(page, 'API keys')
    expect(new URL(page.url()).pathname).toBe('/console/keys')
  })

  test('a sensitive action asks for the password', async () => {
    await pressButton(page, 'Create key')
    await page.getByLabel('Name', { exact: true }).fill('by password')
    await pressInDialog(page, 'Create key')
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await proof.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await proof.getByRole('alert').waitFor()
    await proof.getByLabel('Password').fill(owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Key “by password”' }).waitFor()
    await confirm(page, 'I have copied it')
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Create key')
    await page.getByRole('link', { name: 'by password' }).waitFor()
    expect(await proof.count()).toBe(0)
  })

  test('a sensitive action asks for a new sign-in at the provider', async () => {
    await signOut()
    await byProvider()
    await titled(page, 'API keys')
    const create = async () => {
      await pressButton(page, 'Create key')
      await page.getByLabel('Name', { exact: true }).fill('by provider')
      await pressInDialog(page, 'Create key')
    }
    await create()
    await page.getByRole('link', { name: 'Use Example ID' }).press('Enter')
    await loginAtProvider('ada', false)
    await titled(page, 'API keys')
    await create()
    await page.getByRole('dialog', { name: 'Key “by provider”' }).waitFor()
    await confirm(page, 'I have copied it')
    expect(new URL(page.url()).pathname).toBe('/console/keys')
  })

  test('an administrator with single sign-on sets a password and can then change it', async () => {
    await world.command('admin invite', grace.email, '--role', 'owner')
    idp.people.set('grace', { email: grace.email, email_verified: true, name: grace.name })
    hers = await world.open()
    await keepHome(hers)
    await hers.goto(`${world.address}/console/account`)
    await byProvider(hers)
    await loginAtProvider('grace', true, hers)
    await titled(hers, 'Security and sessions')
    const set = async () => {
      await pressButton(hers, 'Set password')
      await hers.getByLabel('New password').fill(firstPassword)
      await pressButton(hers, 'Set password')
    }
    await set()
    await hers.getByRole('link', { name: 'Use Example ID' }).press('Enter')
    await loginAtProvider('grace', false, hers)
    await titled(hers, 'Security and sessions')
    await set()
    await hers.getByRole('button', { name: 'Change password' }).waitFor()
    expect(await hers.getByText('You sign in with a password.').count()).toBe(1)
  })

  test('a password change removes ended sessions from the list', async () => {
    const elsewhere = await world.open()
    await post(elsewhere, 'sign-in', { email: grace.email, password: firstPassword })
    await elsewhere.context().close()
    await hers.reload()
    const sessions = hers.locator('.card', { hasText: 'Sessions' }).locator('li')
    await sessions.nth(1).waitFor()
    await pressButton(hers, 'Change password')
    await hers.getByLabel('Current password').fill(firstPassword)
    await hers.getByLabel('New password').fill(grace.password)
    await pressButton(hers, 'Change password')
    await sessions.nth(1).waitFor({ state: 'detached' })
    expect(await sessions.count()).toBe(1)
  })

  test('a page changes nothing after another administrator has signed in in another tab', async () => {
    const first = await world.open()
    await first.goto(`${world.address}/console/controls/blocked-urls`)
    await signIn(first)
    await pressButton(first, 'Block addresses')
    await first.getByLabel('Patterns, one per line').fill('bad.example.net')
    await post(first, 'sign-in', { email: grace.email, password: grace.password })
    await pressInDialog(first, 'Block')
    await first.getByRole('button', { name: new RegExp(grace.name) }).waitFor()
    await first.getByText('No blocked addresses').waitFor()
    expect(await first.getByRole('dialog').count()).toBe(0)
    await first.context().close()
  })

  const newKey = async (name: string) => {
    await pressButton(hers, 'Create key')
    await hers.getByLabel('Name', { exact: true }).fill(name)
  }
  const signInAgain = async (password: string, email: string) => {
    expect(await signIn(hers, password, email)).toBe(200)
    await hers.locator('.sign-in-again').waitFor({ state: 'detached' })
  }

  test('an expired session keeps unsaved work and hides it', async () => {
    await hers.goto(`${world.address}/console/keys`)
    await newKey('half done')
    await hers.context().clearCookies()
    await pressInDialog(hers, 'Create key')
    await signedOut(hers)
    for (const key of ['Escape', 'Escape', 'Control+k']) await hers.keyboard.press(key)
    expect(await hers.getByRole('dialog', { name: 'Search or jump to…' }).count()).toBe(0)
    expect(await hers.evaluate(uncovered)).toEqual([])
    await signInAgain(grace.password, grace.email)
    expect(await hers.getByLabel('Name', { exact: true }).inputValue()).toBe('half done')
    await pressInDialog(hers, 'Create key')
    await hers.getByRole('dialog', { name: 'Key “half done”' }).waitFor()
    await confirm(hers, 'I have copied it')
    await hers.getByRole('link', { name: 'half done' }).waitFor()
    await newKey('by another tab')
    await hers.context().clearCookies()
    await pressInDialog(hers, 'Create key')
    await signedOut(hers)
    await post(hers, 'sign-in', { email: grace.email, password: grace.password })
    await hers.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
    await hers.locator('.sign-in-again').waitFor({ state: 'detached' })
    expect(await hers.getByLabel('Name', { exact: true }).inputValue()).toBe('by another tab')
    await confirm(hers, 'Cancel')
  })

  test('a failed export keeps the page and asks for the sign-in', async () => {
    for (const [key, title] of [
      ['e', 'Employees'],
      ['l', 'Audit trail'],
    ] as const) {
      await goBy(hers, key, title)
      const address = hers.url()
      await pressButton(hers, 'Export')
      await hers.context().clearCookies()
      await hers.getByRole('menuitem', { name: /^CSV(?: \(visible columns\))?$/ }).press('Enter')
      await signedOut(hers)
      expect(hers.url()).toBe(address)
      await signInAgain(grace.password, grace.email)
    }
    await goBy(hers, 'k', 'API keys')
  })

  test('the second factor is asked for above the page after the session has expired', async () => {
    const { secret } = await post(hers, 'sign-in-methods/totp/begin')
    const { recoveryCodes } = await post(hers, 'sign-in-methods/totp/confirm', {
      code: new TOTP({ secret }).generate(),
    })
    await newKey('of two steps')
    await hers.context().clearCookies()
    await pressInDialog(hers, 'Create key')
    await signedOut(hers)
    await signIn(hers, grace.password, grace.email)
    await hers.route('**/console/api/sign-out', (route) => route.abort(), { times: 1 })
    await pressButton(hers, 'Sign in as a different user')
    await hers.getByRole('alert').getByText('The server cannot be reached').waitFor()
    await pressButton(hers, 'Sign in as a different user')
    await signedOut(hers)
    await signIn(hers, grace.password, grace.email)
    await pressButton(hers, 'Use a recovery code')
    await hers.getByLabel('Recovery code').fill(recoveryCodes[0])
    await hers.keyboard.press('Enter')
    await hers.locator('.sign-in-again').waitFor({ state: 'detached' })
    expect(await hers.getByLabel('Name', { exact: true }).inputValue()).toBe('of two steps')
  })

  test('another administrator who signs in sees no data of the previous one and must re-authenticate', async () => {
    const wantProof = async () => {
      let wanted = true
      await hers.route('**/console/api/keys', (route) => {
        if (!wanted || route.request().method() !== 'POST') return route.fallback()
        wanted = false
        return route.fulfill({ status: 401, json: { code: 'reauthentication_required' } })
      })
    }
    const proof = hers.getByRole('dialog', { name: 'Confirm it’s you' })
    await wantProof()
    await pressInDialog(hers, 'Create key')
    await hers.context().clearCookies()
    await proof.getByRole('button', { name: 'Continue' }).waitFor()
    await proof.getByLabel('Password').fill(grace.password)
    await hers.keyboard.press('Enter')
    await signedOut(hers)
    await hers.locator('.sign-in-again').getByLabel('E-mail address').fill(owner.email)
    await hers.locator('.sign-in-again').getByLabel('Password').fill(owner.password)
    await hers.keyboard.press('Enter')
    await hers.getByRole('button', { name: new RegExp(owner.name) }).waitFor()
    expect(await hers.getByRole('dialog').count()).toBe(0)
    await newKey('of another')
    await wantProof()
    await pressInDialog(hers, 'Create key')
    await proof.getByLabel('Password').fill(owner.password)
    await hers.keyboard.press('Enter')
    await hers.getByRole('dialog', { name: 'Key “of another”' }).waitFor()
    await hers.context().close()
  })

  test('a failed re-authentication at the provider and a failed sign-out are reported', async () => {
    await page.goto(`${world.address}/console/?signInError=unknown`)
    await toldOf(page, 'You used a different single sign-on account.')
    await page.waitForURL(`${world.address}/console/`)
    await page.route('**/console/api/sign-out', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: new RegExp(owner.name) }).press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
    await toldOf(page, /^The server cannot be reached/)
    expect(await page.getByRole('navigation').count()).toBe(1)
  })

  test('wrong passwords lock the sign-in and the error says for how long', async () => {
    await signOut()
    const wrong = []
    for (let attempt = 0; attempt < 5; attempt++) wrong.push(await signIn(page, `wrong ${attempt}`))
    expect(new Set(wrong)).toEqual(new Set([401]))
    expect(await signIn(page)).toBe(429)
    const alert = page.getByRole('alert').getByText('Too many failed attempts.')
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/^Too many failed attempts\. Try again in \d+ s\.$/)
  })

  test('there were no script errors and no policy violations', () => {
    expect(world.complaints).toEqual([])
  })
})
