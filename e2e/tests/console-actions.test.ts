import { hash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import {
  card,
  confirm,
  dialogGone,
  goBy,
  pressButton,
  pressInDialog,
  toldOf,
} from '../src/console-keyboard.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { inventoryRecords } from '../src/inventory-records.ts'

/** Returns the hash of a server's public key. */
async function publicKeyPin(address: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  socket.destroy()
  return hash('sha256', key ?? '', 'base64')
}

describe('single-click actions of the console', () => {
  let world: ConsoleWorld
  let page: Page

  beforeAll(async () => {
    world = await consoleWorld('sqlite', inventoryRecords())
    page = await world.open()
    await world.becomeOwner(page)
  })
  afterAll(() => world.stop())

  /** Returns the label or text of the focused element; `BODY` if none. */
  const focused = (): Promise<string> =>
    page.evaluate(`(({ tagName, ariaLabel, innerText }) => ariaLabel ?? (tagName === 'BODY' ? tagName : innerText.trim()))
      (document.activeElement)`)
  const focusOn = (name: string) => until(`focus on ${name}`, async () => (await focused()) === name)
  const openFirst = async (list: string) => {
    await page.goto(`${world.address}/console/${list}`)
    await page.locator('.grid-row:not(.waiting) .first a').first().press('Enter')
    await page.waitForURL(`**/${list}/*`)
  }

  test('changing a license is announced, keeps the focus and can be undone', async () => {
    await openFirst('employees')
    await pressButton(page, 'Remove license')
    await toldOf(page, /^License removed\. .*dormant/)
    await focusOn('Assign license')
    await page.keyboard.press('z')
    await toldOf(page, 'Undone.')
    await focusOn('Remove license')
    expect(await page.locator('.page-head').innerText()).toContain('Licensed')
  })

  test('changes of approvals, labels and blocked addresses are announced, keep the focus and can be undone', async () => {
    await openFirst('apps')
    await pressButton(page, 'Approve')
    await toldOf(page, 'Approved.')
    await focusOn('Approve')
    await page.keyboard.press('z')
    await page.locator('.page-head [aria-pressed=true]').waitFor({ state: 'detached' })
    const labels = card(page, 'Labels')
    for (const label of ['First', 'Second']) {
      await labels.getByLabel('New label').fill(label)
      await page.keyboard.press('Enter')
      await toldOf(page, `Label “${label}” added.`)
    }
    await labels.getByRole('button', { name: 'Remove label First' }).press('Enter')
    await toldOf(page, 'Label “First” removed.')
    await focusOn('Remove label Second')
    await page.keyboard.press('z')
    await labels.getByRole('button', { name: 'Remove label First' }).waitFor()

    await goBy(page, 'u', 'Blocked addresses')
    await pressButton(page, 'Block addresses')
    await page.getByLabel('Patterns, one per line').fill('one.example.net\ntwo.example.net')
    await pressInDialog(page, 'Block 2 patterns')
    await page.getByRole('button', { name: 'Unblock two.example.net' }).press('Enter')
    await toldOf(page, 'two.example.net is no longer blocked.')
    await focusOn('Unblock one.example.net')
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Unblock two.example.net' }).waitFor()
    const head = page.locator('.page-head')
    await head.getByText('2 patterns').waitFor()
    expect(await head.innerText()).toContain('Delete all')
  })

  test('moving a rule keeps the focus on it', async () => {
    await page.goto(`${world.address}/console/controls/protections`)
    for (let rule = 0; rule < 2; rule++) {
      await page
        .getByRole('button', { name: /^Add rule to / })
        .first()
        .press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Add rule', exact: true }).press('Enter')
      await dialogGone(page)
    }
    const [name = ''] = await page
      .getByRole('button', { name: /^Move rule 2 of .* up$/ })
      .evaluateAll((buttons) => buttons.map(({ ariaLabel }) => String(ariaLabel)))
    await pressButton(page, name)
    await toldOf(page, 'Moved to position 1 of 2. Save to apply.')
    const back = name.replace('rule 2', 'rule 1').replace(/up$/, 'down')
    await focusOn(back)
    expect(await page.getByRole('button', { name: back }).isEnabled()).toBe(true)
    await pressButton(page, 'Discard changes')
  })

  test('signing out everywhere asks for confirmation', async () => {
    await page.goto(`${world.address}/console/account`)
    await pressButton(page, 'Sign out everywhere')
    await page.getByRole('dialog', { name: 'Sign out everywhere?' }).waitFor()
    await page.keyboard.press('Escape')
    await focusOn('Sign out everywhere')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Security and sessions')
  })

  test('the sample command of a new key pins the self-signed certificate', async () => {
    await page.goto(`${world.address}/console/keys`)
    await pressButton(page, 'Create key')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('tried')
    await pressInDialog(page, 'Create key')
    const line = await page.getByRole('dialog').locator('.secret code').last().innerText()
    expect(line).toContain(` -k --pinnedpubkey 'sha256//${await publicKeyPin(world.address)}' `)
    await confirm(page, 'I have copied it')
  })

  /** Dialogs of sensitive actions: the button that opens each, a field to fill, and the submit button. */
  const sensitive = [
    { at: 'keys', open: 'Create key', field: 'Name', action: 'Create key' },
    {
      at: 'webhooks',
      open: 'Add webhook',
      field: 'URL',
      text: 'https://a.example.com',
      action: 'Add webhook',
    },
    {
      at: 'administrators',
      open: 'Invite administrator',
      field: 'E-mail address',
      text: 'b@example.com',
      action: 'Send invitation',
    },
  ]
  test.each(sensitive)(
    'after canceling re-authentication the dialog of $at stays usable',
    async ({ at, open, field, text = 'nightly', action }) => {
      let stale = true
      await page.route('**/console/api/**', (route) =>
        stale && route.request().method() === 'POST'
          ? route.fulfill({ status: 401, json: { code: 'reauthentication_required' } })
          : route.fallback(),
      )
      await page.goto(`${world.address}/console/${at}`)
      await pressButton(page, open)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(field, { exact: true }).fill(text)
      await pressInDialog(page, action)
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await proof.waitFor()
      await page.keyboard.press('Escape')
      await proof.waitFor({ state: 'detached' })
      await dialog
        .getByRole('alert')
        .getByText('Canceled because you did not confirm your identity.')
        .waitFor()
      await focusOn(action)
      stale = false
      const answered = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.ok(),
      )
      await page.keyboard.press('Enter')
      expect((await answered).status()).toBe(200)
      await page.unrouteAll({ behavior: 'wait' })
      // The result replaces the form.
      await dialog.getByLabel(field, { exact: true }).waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      // The button of the empty list is gone.
      await until('focus in the page', async () => (await focused()) !== 'BODY')
    },
  )
})
