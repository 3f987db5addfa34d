import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STORES } from '../../test/support/stores.ts'
import { until } from '../../test/support/until.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { comeBack } from '../src/come-back.ts'
import {
  card,
  chooseOf,
  confirm,
  counted,
  dialogGone,
  goBy,
  pressButton,
  pressInDialog,
  rowsSay,
  searchFor,
  titled,
  toldOf,
} from '../src/console-keyboard.ts'
import { type ConsoleWorld, consoleWorld, owner } from '../src/console-world.ts'
import { inventoryRecords } from '../src/inventory-records.ts'

for (const store of STORES) {
  describe(`the inventory in the console on ${store}`, () => {
    const records = inventoryRecords()
    let world: ConsoleWorld
    let page: Page

    beforeAll(async () => {
      world = await consoleWorld(store, records)
      page = await world.open({ acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] })
      await world.becomeOwner(page)
    })
    afterAll(async () => {
      await world.stop()
    })

    const head = () => page.locator('.page-head')
    const kept = async (path: string) =>
      (await page.request.get(`${world.address}/console/api/records/${path}`)).json()
    /** Changes a record independently of the page. */
    const patched = async (path: string, data: object) => {
      const headers = { 'x-muster-console': '1', origin: world.address }
      const address = `${world.address}/console/api/records/${path}`
      expect((await page.request.patch(address, { headers, data })).status()).toBe(200)
    }
    const blocked = async (): Promise<string[]> => {
      const answer = await page.request.get(`${world.address}/console/api/controls`)
      return (await answer.json()).controls.blockedExtensionIds
    }
    const opened = async (search: string, count: string, title: string) => {
      await searchFor(page, search, count)
      await page.keyboard.press('o')
      await titled(page, title)
    }

    test('after a rotation both keys work until the old one expires', async () => {
      const permission = ['--permission', 'read-only']
      const old = await world.command('keys create', '--name', 'siem', '--holder', owner.email, ...permission)
      const status = async (key: unknown) => {
        const headers = { 'x-api-key': String(key) }
        let code = 429
        // The records of this test were added by the same holder, whose bucket may still be empty.
        await until('a token', async () => {
          code = (await page.request.get(`${world.address}/v1/employees?limit=1`, { headers })).status()
          return code !== 429
        })
        return code
      }
      const rotate = async (stops: string) => {
        await pressButton(page, 'Rotate key')
        await page.getByLabel('Old key expires').selectOption({ label: stops })
        await pressInDialog(page, 'Create new key')
        const made = await page.getByRole('dialog').locator('code').first().innerText()
        await confirm(page, 'I have copied it')
        return made
      }
      await page.goto(`${world.address}/console/keys/${old.id}`)
      await titled(page, 'siem')
      const second = await rotate('In 1 hour')
      expect([await status(old.key), await status(second)]).toEqual([200, 200])
      await page.getByRole('link', { name: 'API keys' }).first().press('Enter')
      const links = page.locator('#main').getByRole('link', { name: 'siem', exact: true })
      await until('both keys', async () => (await links.count()) === 2)
      await page.goto(`${world.address}/console/keys/${old.id}`)
      await page.getByText('Expires').waitFor()
      expect(await page.getByRole('button', { name: 'Rotate key' }).count()).toBe(0)
      await page
        .locator('#main')
        .getByRole('link', { name: second.slice(0, 8) })
        .press('Enter')
      const third = await rotate('Immediately')
      await until('the end of the second', async () => (await status(second)) === 401)
      expect([await status(old.key), await status(third)]).toEqual([200, 200])
    })

    test('an employee is added, edited and moved between groups', async () => {
      await goBy(page, 'e', 'Employees')
      await counted(page, '12 employees')
      await pressButton(page, 'Add employee')
      await page.getByLabel('E-mail address').fill('ada.byron@example.com')
      await page.getByLabel('First name').fill('Katherine')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('alert').waitFor()
      await page.getByLabel('E-mail address').fill('katherine.johnson@example.com')
      await page.keyboard.press('Enter')
      await titled(page, 'Katherine')
      await dialogGone(page)
      await pressButton(page, 'Edit')
      await page.getByLabel('Last name').fill('Johnson')
      await page.getByLabel('Department').fill('Orbits')
      await page.keyboard.press('Enter')
      await titled(page, 'Katherine Johnson')
      await dialogGone(page)
      await card(page, 'About').getByText('Orbits').waitFor()
      for (const group of ['Pilots', 'Engineers']) {
        await page.getByLabel('New group').fill(group)
        await page.keyboard.press('Enter')
        await card(page, 'Groups').getByText(group).waitFor()
      }
      await pressButton(page, 'Remove group Pilots')
      await card(page, 'Groups').getByText('Pilots').waitFor({ state: 'detached' })
      const path = `employees/${new URL(page.url()).pathname.split('/').at(-1)}`
      expect(await kept(path)).toMatchObject({
        email: 'katherine.johnson@example.com',
        firstName: 'Katherine',
        lastName: 'Johnson',
        department: 'Orbits',
        groups: ['Engineers'],
        licensed: false,
      })
      // Concurrent changes of others are kept, whether or not the page has loaded them.
      await pressButton(page, 'Edit')
      await patched(path, { email: 'k.johnson@example.com' })
      await comeBack(page, `/console/api/records/${path}`)
      await patched(path, { department: 'Flight' })
      await page.getByLabel('Location').fill('Langley')
      await page.keyboard.press('Enter')
      await card(page, 'About').getByText('Langley').waitFor()
      const changed = { email: 'k.johnson@example.com', department: 'Flight', location: 'Langley' }
      expect(await kept(path)).toMatchObject(changed)
    })

    test('licenses are assigned and removed for one and for many', async () => {
      await pressButton(page, 'Assign license')
      await pressButton(page, 'Remove license')
      await page.getByRole('button', { name: 'Assign license', exact: true, disabled: false }).waitFor()
      await goBy(page, 'e', 'Employees')
      await searchFor(page, 'hopper', '2 employees')
      for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
      await page.getByText('2 selected').waitFor()
      await pressButton(page, 'Remove license')
      await toldOf(page, /^2 licenses removed\./)
      await rowsSay(page, 2, 'None')
      const licensed = await Promise.all(
        records.employees.slice(-2).map(async ({ id }) => (await kept(`employees/${id}`)).licensed),
      )
      expect(licensed).toEqual([false, false])
    })

    test('an enrollment link can be copied, is shown as a QR code and opens a page', async () => {
      await page.goto(`${world.address}/console/employees`)
      await counted(page, '13 employees')
      await opened('grace.byron', '1 employee', 'Grace Byron')
      await pressButton(page, 'Enroll browser')
      await pressInDialog(page, 'Create link')
      const link = await page.getByRole('dialog').locator('.secret code').innerText()
      const picture = page.getByRole('img', { name: 'QR code of the link' })
      expect(await picture.locator('path').getAttribute('d')).toMatch(/^(?:M\d+ \d+h1v1h-1z){300,}$/)
      await pressInDialog(page, 'Copy link')
      await page.getByRole('dialog').getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
      await confirm(page, 'Done')
      expect((await page.request.get(link)).status()).toBe(200)
    })

    test('the page of a person shows all records and recent activity in order', async () => {
      await goBy(page, 'e', 'Employees')
      await opened('ada.byron', '1 employee', 'Ada Byron')
      const lately = card(page, 'Recent activity').getByRole('listitem')
      await lately.nth(3).waitFor()
      expect((await lately.getByRole('link').allInnerTexts()).slice(0, 2)).toEqual([
        'New finding: weak password',
        expect.stringMatching(/^Detected: /),
      ])
      await card(page, 'Recent activity').getByText('New account on Zapier').waitFor()
      await card(page, 'Recent activity').getByText('Chrome enrolled').waitFor()
      for (const [title, number] of Object.entries({ Accounts: 1, Browsers: 1, 'Browser extensions': 3 }))
        await page.getByRole('heading', { name: `${title} · ${number}`, exact: true }).waitFor()
      await lately.getByRole('link', { name: 'New finding: weak password' }).press('Enter')
      await titled(page, 'Weak password')
    })

    test('two records of a person are merged after a preview and unmerged', async () => {
      await goBy(page, 'e', 'Employees')
      await opened('ada.byron', '1 employee', 'Ada Byron')
      await pressButton(page, 'Merge')
      await page.getByLabel('Find other records of this person').fill('grace.byron')
      await pressInDialog(page, 'Choose grace.byron@example.com')
      const preview = page.getByRole('dialog').locator('section')
      for (const moved of ['1 account', '1 browser', '0 findings', '0 detections'])
        await preview.getByText(moved, { exact: true }).waitFor()
      await confirm(page, 'Merge')
      await toldOf(page, '1 merged into Ada Byron.')
      await card(page, 'About').getByText('grace.byron@example.com').waitFor()
      await page.getByRole('heading', { name: 'Browsers · 2', exact: true }).waitFor()
      const [ada, grace] = records.employees
      expect(await kept(`employees/${grace?.id}`)).toMatchObject({ mergedIntoId: ada?.id })
      await page.goto(`${world.address}/console/employees/${grace?.id}`)
      await page.getByText('All activity is shown there.').waitFor()
      await pressButton(page, 'Unmerge')
      await toldOf(page, 'Employee unmerged. The license was not restored.')
      await page.getByText('All activity is shown there.').waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Browsers · 1', exact: true }).waitFor()
      expect(await kept(`employees/${grace?.id}`)).toMatchObject({ mergedIntoId: null, licensed: false })
    })

    test('removing a login method resolves findings, and the account record is deleted', async () => {
      await goBy(page, 'a', 'Accounts')
      await opened('ada.byron', '1 account', 'ada.byron@example.com')
      await card(page, 'Findings').getByText('Open', { exact: true }).waitFor()
      await pressButton(page, 'Remove Password')
      await page.getByText('Password findings for this account will be resolved.').waitFor()
      await confirm(page, 'Remove')
      await page.getByRole('button', { name: 'Remove Password' }).waitFor({ state: 'detached' })
      await card(page, 'Findings').getByText('Resolved', { exact: true }).waitFor()
      await card(page, 'Sign-in methods').getByText('OpenID Connect').waitFor()
      await pressButton(page, 'Delete record')
      await confirm(page, 'Delete record')
      await toldOf(page, 'Record of ada.byron@example.com deleted.')
      await counted(page, '1 account')
      expect(await kept(`accounts/${records.accounts[0]?.id}`)).toMatchObject({ status: 404 })
    })

    test('the decision about an app is saved', async () => {
      await goBy(page, 'p', 'Apps')
      await opened('zapier', '1 app', 'Zapier')
      await page.getByLabel('Sensitivity').selectOption('HIGH')
      await page.getByLabel('Notes').fill('Contract ends in March.')
      // A concurrent decision neither discards typed text nor is reverted by saving it.
      const path = `apps/${records.apps[0]?.id}`
      await patched(path, { approvalStatus: 'NOT_APPROVED' })
      for (const label of ['GenAI', 'Finance']) {
        await page.getByLabel('New label').fill(label)
        await page.keyboard.press('Enter')
        await card(page, 'Labels').getByText(label).waitFor()
      }
      await head().getByText('Not approved', { exact: true }).waitFor()
      await page.getByLabel('Owner').fill('frances')
      await pressButton(page, 'Choose frances.byron@example.com')
      await card(page, 'Decision').getByRole('link', { name: 'Frances Byron' }).waitFor()
      await pressButton(page, 'Save')
      await toldOf(page, 'Saved.')
      expect(await kept(path)).toMatchObject({ approvalStatus: 'NOT_APPROVED' })
      await pressButton(page, 'Approve')
      await head().getByText('Approved', { exact: true }).waitFor()
      await pressButton(page, 'Remove label GenAI')
      await card(page, 'Labels').getByText('GenAI').waitFor({ state: 'detached' })
      const frances = records.employees.find(({ firstName }) => firstName === 'Frances')
      expect(await kept(path)).toMatchObject({
        approvalStatus: 'APPROVED',
        sensitivityLevel: 'HIGH',
        ownerId: frances?.id,
        notes: 'Contract ends in March.',
        labels: ['Finance'],
      })
    })

    test('many apps are decided with the keyboard, and unrecognized apps have a page', async () => {
      await goBy(page, 'p', 'Apps')
      await counted(page, '3 apps')
      for (const key of ['x', 'j', 'x', 'j', 'x', 'n']) await page.keyboard.press(key)
      await toldOf(page, '3 not approved.')
      await rowsSay(page, 3, 'Not approved')
      await page.goto(`${world.address}/console/apps-other`)
      await counted(page, '1 app')
      await page.keyboard.press('o')
      await titled(page, 'intranet.example.com')
      await card(page, 'Accounts').getByText('No accounts').waitFor()
      expect(await head().innerText()).toContain('Discovered')
    })

    test('the page of a browser shows its employee, extensions and detections', async () => {
      await goBy(page, 'b', 'Browsers')
      await opened('ada.byron', '1 browser', 'Chrome 142 on macOS')
      await head().getByText('Active', { exact: true }).waitFor()
      await card(page, 'About').getByRole('link', { name: 'Ada Byron' }).waitFor()
      await card(page, 'About').getByText('Managed policy').waitFor()
      await page.getByRole('heading', { name: 'Detections · 1', exact: true }).waitFor()
      await card(page, 'Browser extensions').getByRole('link', { name: 'Cookie Monster' }).press('Enter')
      await titled(page, 'Cookie Monster')
      expect(new URL(page.url()).pathname).toBe(`/console/extensions/${'a'.repeat(32)}`)
    })

    test('the page of an extension shows installations and permissions, and blocks it', async () => {
      await goBy(page, 'x', 'Browser extensions')
      await counted(page, '3 extensions')
      await opened('cookie', '1 extension', 'Cookie Monster')
      await page.getByRole('heading', { name: 'Installations · 2', exact: true }).waitFor()
      for (const name of ['Ada Byron', 'Grace Byron'])
        await card(page, 'Installations').getByRole('link', { name }).waitFor()
      await head().getByText('High risk', { exact: true }).waitFor()
      await page.getByText('Read and change every page').waitFor()
      await page.getByText('take over signed-in sessions').waitFor()
      await pressButton(page, 'Block')
      await page.getByText('It is currently enabled in 2 browsers.').waitFor()
      const letGo = Promise.withResolvers<void>()
      let asked = 0
      await page.route('**/console/api/lists/**', async (route) => {
        asked += 1
        await letGo.promise
        await route.continue()
      })
      await confirm(page, 'Block')
      // The dialog closes before the data is reloaded.
      await until('lists that are asked for', async () => asked > 0)
      letGo.resolve()
      await page.unrouteAll({ behavior: 'wait' })
      await head().getByText('Blocked', { exact: true }).waitFor()
      expect(await blocked()).toEqual(['a'.repeat(32)])
      await pressButton(page, 'Unblock')
      await confirm(page, 'Unblock')
      await page.getByRole('button', { name: 'Block', exact: true }).waitFor()
      await goBy(page, 'x', 'Browser extensions')
      await opened('clock', '1 extension', 'Plain Clock')
      const inOne = card(page, 'About').getByText(/^1 browser/)
      expect(await inOne.innerText()).toBe('1 browser')
    })

    test('many extensions are blocked at once', async () => {
      await goBy(page, 'x', 'Browser extensions')
      await counted(page, '3 extensions')
      await page.keyboard.press('o')
      await page.getByRole('heading', { name: /^Installations · / }).waitFor()
      await page.keyboard.press('u')
      await counted(page, '3 extensions')
      for (const key of ['x', 'j', 'x', 'k']) await page.keyboard.press(key)
      await page.getByText('2 selected').waitFor()
      await pressButton(page, 'Block')
      await toldOf(page, '2 extensions blocked.')
      await rowsSay(page, 2, 'Blocked')
      expect(await blocked()).toHaveLength(2)
      // A page that was visited before also shows it.
      await page.keyboard.press('o')
      await head().getByText('Blocked', { exact: true }).waitFor()
    })

    test('selected columns persist', async () => {
      await goBy(page, 'e', 'Employees')
      const column = (name: string) => page.getByRole('columnheader', { name, exact: true })
      await column('Department').waitFor()
      await chooseOf(page, 'Columns', 'Department', 'Additional addresses')
      await column('Additional addresses').waitFor()
      await column('Department').waitFor({ state: 'detached' })
      await page.reload()
      await column('Additional addresses').waitFor()
      expect(await column('Department').count()).toBe(0)
    })

    test('a filter value is chosen by name with the keyboard, ignoring case', async () => {
      await page.goto(`${world.address}/console/accounts`)
      await titled(page, 'Accounts')
      await pressButton(page, 'More filters')
      const app = page.getByRole('combobox', { name: 'App' })
      await app.focus()
      await page.keyboard.type('ZAP')
      await page.getByRole('option', { name: /^Zapier/ }).waitFor()
      expect(await axeFaults(page, 'structure')).toEqual([])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('listitem').getByText('Zapier').waitFor()
      await page.keyboard.type('nothing of the kind')
      await page.keyboard.press('Enter')
      await page.getByText('No match. Choose a value from the list.').waitFor()
      await page.keyboard.press('Escape')
      await app.fill('zapier')
      await page.keyboard.press('Enter')
      // The values may not have arrived yet: a text that is left would keep the dialog open.
      await app.fill('')
      expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(1)
      await confirm(page, 'Apply')
      const inForce = page.getByRole('list', { name: 'Active filters' })
      await inForce.getByText('App: Zapier').waitFor()
      expect(new URL(page.url()).searchParams.get('appType')).toBe('ZAPIER')
    })

    test('a filtered list is exported as CSV and JSON', async () => {
      await page.goto(`${world.address}/console/employees`)
      await counted(page, '13 employees')
      await searchFor(page, 'hopper', '2 employees')
      expect(await page.getByRole('searchbox').inputValue()).toBe('hopper')
      await pressButton(page, 'More filters')
      await page.getByLabel('Added after').focus()
      await page.keyboard.type('06152020')
      await page.keyboard.press('Enter')
      await page.getByRole('list', { name: 'Active filters' }).getByText('15 Jun 2020').waitFor()
      await counted(page, '2 employees')
      const taken = async (name: string) => {
        const coming = page.waitForEvent('download')
        await pressButton(page, 'Export')
        await page.getByRole('menuitem', { name }).press('Enter')
        const download = await coming
        return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
      }
      const csv = await taken('CSV (all columns)')
      const [header, ...lines] = csv.text.trim().split('\r\n')
      expect(csv.name).toMatch(/employees.*\.csv$/)
      expect(header).toContain('email,firstName,lastName')
      expect(lines).toHaveLength(2)
      const shown = await taken('CSV (visible columns)')
      expect(shown.text.split('\r\n')[0]).toBe(
        'name,email,risk,licensed,location,groups,creationTime,secondaryEmails',
      )
      const json = await taken('JSON')
      expect(json.name).toMatch(/employees.*\.json$/)
      const emails = JSON.parse(json.text).map(({ email }: { email: string }) => email)
      expect(emails.sort()).toEqual(['ada.hopper@example.com', 'grace.hopper@example.com'])
      for (const email of emails) expect(csv.text).toContain(email)
    })

    test('there were no script errors and no policy violations', () => {
      expect(world.complaints).toEqual([])
    })
  })
}
