import { readFileSync } from 'node:fs'
import type { Banner, Controls } from '@muster/contract/records/controls'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../sdk/src/webhook-verify.ts'
import { until } from '../../test/support/until.ts'
import { comeBack } from '../src/come-back.ts'
import { inDialog } from '../src/console-dialog.ts'
import { goBy } from '../src/console-keyboard.ts'
import { consoleRecords } from '../src/console-records.ts'
import { type ConsoleWorld, consoleWorld, owner } from '../src/console-world.ts'
import { type EventReceiver, startReceiver } from '../src/event-receiver.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const toldOf = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor()

/** Presses a button with the keyboard once it is no longer busy. */
const pressKey = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true, disabled: false }).first().press('Enter')

describe('managing in the console', () => {
  let world: ConsoleWorld
  let page: Page
  let receiver: EventReceiver
  const records = consoleRecords()

  beforeAll(async () => {
    receiver = await startReceiver()
    const settings = {
      MUSTER_WEBHOOKS_ALLOW_PRIVATE: 'true',
      MUSTER_EVENTS_SYSLOG_URL: 'tcp://127.0.0.1:9',
    }
    world = await consoleWorld('postgres', { ...records }, settings)
    page = await world.open({ acceptDownloads: true })
    await world.becomeOwner(page)
  })
  afterAll(async () => {
    receiver.close()
    await world.stop()
  })

  /** Returns the headers of a request that is independent of the page. */
  const ownHeaders = () => ({ 'x-muster-console': '1', origin: world.address })
  const addWebhook = async (name: string): Promise<{ id: string }> => {
    const data = { url: `${receiver.address}/good`, name, objects: ['WEBHOOK_ADDED'] }
    const path = `${world.address}/console/api/webhooks`
    const answer = await page.request.post(path, { headers: ownHeaders(), data })
    expect(answer.status()).toBe(200)
    return (await answer.json()).webhook
  }

  test('figures and columns of the overview open their lists with the keyboard', async () => {
    await page.getByRole('link', { name: '100 Employees' }).press('Enter')
    await page.locator('.page-head').getByText('100 employees').waitFor()
    await goBy(page, 'o', 'Overview')
    const columns = page.getByRole('group', { name: /^Detections by week and severity/ })
    await columns.locator('a[tabindex="0"]').press('Enter')
    await heading(page, 'Detections').waitFor()
    await page.locator('.page-head').getByText('10 detections').waitFor()
    expect(new URL(page.url()).searchParams.has('severity')).toBe(true)
  })

  test('many addresses are blocked at once, invalid lines are reported, and all are deleted after a typed confirmation', async () => {
    await goBy(page, 'u', 'Blocked addresses')
    await pressKey(page, 'Block addresses')
    await page.getByLabel('Patterns, one per line').fill('bad.example.net\n*.evil.example\nno host')
    await pressKey(page, 'Block 3 patterns')
    await page.getByText('2 added, 1 skipped.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('*.evil.example').waitFor()
    await pressKey(page, 'Delete all')
    await page.getByLabel('Type “delete all” to confirm').fill('delete all')
    await page.keyboard.press('Enter')
    await page.getByText('No blocked addresses').waitFor()
    expect(await button(page, 'Delete all').count()).toBe(0)
  })

  test('protections, banners and extension lists show their reach and are saved', async () => {
    await goBy(page, 't', 'Protections')
    await page.getByLabel('Default mode for cloned login pages').selectOption('BLOCK')
    await button(page, 'Add rule to cloned login pages').press('Enter')
    await page.getByText(/^Applies to .* licensed employees/).waitFor()
    // The form is not submitted while typed text has not been added to its list.
    const groups = page.getByRole('dialog').getByLabel('Groups', { exact: true })
    await groups.fill('Engineers')
    await inDialog(page, 'Add rule').press('Enter')
    await page.getByRole('dialog').locator('input:invalid').waitFor()
    await groups.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Engineers' }).waitFor()
    const people = page.getByRole('dialog').getByLabel('Employees', { exact: true })
    await people.fill('ada.byron')
    await inDialog(page, 'Add rule').press('Enter')
    await page.getByRole('dialog').locator('input:invalid').waitFor()
    await inDialog(page, 'Choose ada.byron@example.com').waitFor()
    await people.press('Enter')
    await page.getByRole('list', { name: 'Employees' }).getByText('Ada Byron').waitFor()
    await inDialog(page, 'Add rule').press('Enter')
    await pressKey(page, 'Save')
    await toldOf(page, /^Saved/)
    await page.goto(`${world.address}/console/controls/banners`)
    await pressKey(page, 'Add banner')
    await page.getByLabel('Title').fill('Use the other one')
    await page.locator('.banner-preview').getByText('Use the other one').waitFor()
    await inDialog(page, 'Add banner').press('Enter')
    await pressKey(page, 'Save')
    await toldOf(page, /^Saved/)
    await page.goto(`${world.address}/console/controls/extensions`)
    await pressKey(page, 'Add extensions')
    await page.getByLabel('Extensions, one per line').fill('cjpalhdlnbpafiamejdnhcphjbkeiagm')
    await inDialog(page, 'Add extension').press('Enter')
    await pressKey(page, 'Save')
    await toldOf(page, /^Saved/)
    const kept = await page.request.get(`${world.address}/console/api/controls`)
    const { controls } = await kept.json()
    const rule = { mode: 'WARN', groups: ['Engineers'], employeeIds: [records.employees[0]?.id] }
    expect(controls).toMatchObject({
      clonedLoginPages: { mode: 'BLOCK', rules: [rule] },
      banners: [{ title: 'Use the other one', mode: 'INFORM' }],
      blockedExtensionIds: ['cjpalhdlnbpafiamejdnhcphjbkeiagm'],
    })
    await page.getByRole('link', { name: 'Not installed' }).press('Enter')
    await page.getByText('No browser has this extension').waitFor()
    // Leaving unsaved changes asks first, and edits during a save are kept.
    await page.goto(`${world.address}/console/controls/rules`)
    const contact = page.getByLabel('Contact')
    const unsaved = page.getByText('You have unsaved changes.')
    await contact.fill('first@example.com')
    await unsaved.waitFor()
    const toOverview = page.getByRole('navigation').getByRole('link', { name: 'Overview', exact: true })
    await toOverview.press('Enter')
    await inDialog(page, 'Stay').press('Enter')
    expect(await page.evaluate(`dispatchEvent(new Event('beforeunload', { cancelable: true }))`)).toBe(false)
    const { promise: typed, resolve: save } = Promise.withResolvers<void>()
    await page.route('**/console/api/controls', (route) => typed.then(() => route.continue()))
    await pressKey(page, 'Save')
    await contact.fill('second@example.com')
    save()
    await toldOf(page, /^Saved/)
    expect(await contact.inputValue()).toBe('second@example.com')
    await pressKey(page, 'Save')
    await unsaved.waitFor({ state: 'detached' })
    await contact.fill('third@example.com')
    await unsaved.waitFor()
    await toOverview.press('Enter')
    await inDialog(page, 'Leave').press('Enter')
    await heading(page, 'Overview').waitFor()
    const after = await (await page.request.get(`${world.address}/console/api/controls`)).json()
    expect(after.controls.contact).toBe('second@example.com')
  })

  test('concurrent changes of others are not overwritten but reported', async () => {
    const controls = `${world.address}/console/api/controls`
    const read = async () => (await page.request.get(controls)).json()
    const theirs = async (changeOf: (now: Controls) => Partial<Controls>) => {
      const { version, controls: now } = await read()
      const data = { seen: version, change: changeOf(now) }
      expect((await page.request.patch(controls, { headers: ownHeaders(), data })).status()).toBe(200)
      await comeBack(page, '/console/api/controls')
    }
    const takeOver = async () => {
      await inDialog(page, 'Apply').press('Enter')
      const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await pressKey(page, 'Save')
      expect((await answered).status()).toBe(409)
      await page.locator('.save-bar').getByRole('alert').waitFor()
    }
    await page.goto(`${world.address}/console/controls/banners`)
    await pressKey(page, 'Edit banner Use the other one')
    await page.getByLabel('Title').fill('Use this one')
    await theirs(({ banners }) => ({
      banners: [{ ...banners[0], id: 'theirs', title: 'Of somebody else' } as Banner, ...banners],
    }))
    await takeOver()
    const titles = async () => (await read()).controls.banners.map(({ title }: Banner) => title)
    expect(await titles()).toEqual(['Of somebody else', 'Use the other one'])
    await pressKey(page, 'Discard changes')
    await page.locator('.lines').getByText('Of somebody else').waitFor()
    await page.goto(`${world.address}/console/controls/protections`)
    await pressKey(page, 'Edit rule 1 of cloned login pages')
    await theirs(({ clonedLoginPages }) => ({
      clonedLoginPages: { ...clonedLoginPages, rules: [{ mode: 'BLOCK' }, ...clonedLoginPages.rules] },
    }))
    await takeOver()
    const modes = (await read()).controls.clonedLoginPages.rules.map(({ mode }: { mode: string }) => mode)
    expect(modes).toEqual(['BLOCK', 'WARN'])
  })

  test('a file of stolen credentials is uploaded without sending passwords', async () => {
    const bodies: string[] = []
    page.on('request', (request) => bodies.push(request.postData() ?? ''))
    await page.goto(`${world.address}/console/controls/stolen-credentials`)
    await pressKey(page, 'Upload file')
    const text = 'email,password\nada.byron@example.com,hunter2hunter2\nnobody,\n'
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'feed.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByText('1 credential found, 1 invalid entry').waitFor()
    await pressKey(page, 'Upload 1')
    await page.getByText('1 of 1 sent: 1 added').waitFor()
    await pressKey(page, 'Close')
    await page.getByText('Stored credentials').waitFor()
    expect(bodies.filter((body) => body.includes('hunter2'))).toEqual([])
  })

  test('the organization is renamed, a test message is sent, and key holders are notified of deprecation dates', async () => {
    await goBy(page, 's', 'Settings')
    const streams = page.locator('.card', { hasText: 'Event streams' })
    // The page loads the state once, which may be before the first failure.
    await until('a stream that is held up', async () => {
      await page.reload()
      await streams.getByText('tcp://127.0.0.1:9').waitFor()
      return streams.getByText('Failing').isVisible()
    })
    await page.getByLabel('Name').fill('Analytical Engines')
    await page.keyboard.press('Enter')
    await page.locator('.brand-org').getByText('Analytical Engines').waitFor()
    await pressKey(page, 'Send test message')
    await page.getByText(`The message to ${owner.email} was saved as a file`).waitFor()
    await world.command('keys create', '--name', 'siem', '--holder', owner.email, '--permission', 'read-only')
    await pressKey(page, 'Deprecate this version')
    await page.getByLabel('Deprecated from').fill('2035-06-01')
    await page.getByText('1 person holds an active key').waitFor()
    await pressKey(page, 'Set dates and notify holders')
    // The date itself is also visible before.
    await button(page, 'Change dates').waitFor()
    await page.goto(`${world.address}/console/notices`)
    const notice = page.locator('.lines li', { hasText: 'API version deprecated' })
    await notice.getByText(owner.email).waitFor()
    await until('the message as a file', async () => {
      await page.reload()
      return (await notice.innerText()).includes('Sent')
    })
    expect(await page.getByText('No mail server is configured').count()).toBe(1)
  })

  test('a webhook is added, tested, inspected, resent, rotated, disabled and removed', async () => {
    await goBy(page, 'w', 'Webhooks')
    await pressKey(page, 'Add webhook')
    await page.getByLabel('URL').fill(`${receiver.address}/good`)
    await page.getByLabel('Name').fill('SIEM')
    await page.getByLabel('Events').selectOption('some')
    await page.getByLabel('Audit trail').check()
    await page.getByLabel('Custom headers').fill('Authorization: Bearer one')
    await inDialog(page, 'Add webhook').press('Enter')
    const secret = await page.getByRole('dialog').locator('.secret code').innerText()
    await pressKey(page, 'Send test event')
    await page.getByText('The test event was acknowledged.').waitFor()
    const event = receiver.received.at(-1)
    const header = event?.headers['x-signature']
    expect(await verifyWebhook({ body: event?.body ?? '', header, secrets: [secret] })).toMatchObject({
      valid: true,
    })
    expect(event?.headers.authorization).toBe('Bearer one')
    await pressKey(page, 'I have copied the secret')
    await page.getByRole('link', { name: 'SIEM' }).press('Enter')
    await heading(page, 'SIEM').waitFor()
    expect(await page.content()).not.toContain(secret)
    await until('the first event of the log, sent', async () => {
      await page.reload()
      return (await page.locator('.lines li').last().innerText()).includes('Delivered')
    })
    await page.locator('.lines .button.link').last().press('Enter')
    await page.getByRole('dialog').getByText('taken').waitFor()
    const before = receiver.received.length
    await inDialog(page, 'Resend event').press('Enter')
    await until('the event once more', () => receiver.received.length > before)
    await pressKey(page, 'Rotate secret')
    await pressKey(page, 'Create new secret')
    await page.getByText('Events are also signed with the previous secret for 24 hours.').waitFor()
    expect(await page.getByRole('dialog').locator('.secret code').innerText()).not.toBe(secret)
    await pressKey(page, 'I have copied the secret')
    await pressKey(page, 'Disable')
    await page.locator('.page-head').getByText('Disabled', { exact: true }).waitFor()
    await pressKey(page, 'Enable')
    await button(page, 'Disable').waitFor()
    await pressKey(page, 'Remove')
    await inDialog(page, 'Remove').press('Enter')
    await page.getByText('No webhooks yet').waitFor()
  })

  test('an alert rule is added, tested, edited, disabled and removed', async () => {
    await goBy(page, 'c', 'Alerts')
    await pressKey(page, 'Add rule')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Attacks')
    await dialog.getByLabel('Send to').selectOption('WEBHOOK')
    await dialog.getByLabel('URL').fill(`${receiver.address}/alerts`)
    await dialog.getByLabel('When').selectOption('DAILY')
    await inDialog(page, 'Add rule').press('Enter')
    await page.getByText('Every day at 09:00 (UTC)').waitFor()
    await page.getByRole('link', { name: 'Attacks' }).press('Enter')
    await heading(page, 'Attacks').waitFor()
    await pressKey(page, 'Send test message')
    await page.getByText('The test message was accepted.').waitFor()
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ object: 'ALERT', test: true })
    await page.locator('.lines li').getByText('Delivered').waitFor()
    await pressKey(page, 'Edit')
    await dialog.getByLabel('Send to').selectOption('EMAIL')
    await dialog.getByLabel('E-mail addresses').fill('soc@example.com')
    await inDialog(page, 'Save').press('Enter')
    await page.locator('.facts').getByText('soc@example.com').waitFor()
    await pressKey(page, 'Disable')
    await page.locator('.page-head').getByText('Disabled', { exact: true }).waitFor()
    await pressKey(page, 'Remove')
    await inDialog(page, 'Remove').press('Enter')
    await page.getByText('No alert rules yet').waitFor()
  })

  test('the audit trail is filtered by action and exported', async () => {
    await goBy(page, 'l', 'Audit trail')
    await page.getByText('Webhook removed').first().waitFor()
    await pressKey(page, 'Action')
    await page.getByRole('menuitemcheckbox', { name: 'Webhook added' }).press('Enter')
    await page.keyboard.press('Escape')
    await page.waitForURL('**/audit?object=WEBHOOK_ADDED')
    const line = page.locator('.lines li')
    await until('only that', async () => (await line.count()) === 1)
    await line.getByRole('button').press('Enter')
    await page.getByRole('dialog').getByText('"object": "WEBHOOK_ADDED"').waitFor()
    await page.getByRole('dialog').getByText(owner.email).first().waitFor()
    await page.keyboard.press('Escape')
    await pressKey(page, 'Export')
    const coming = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).press('Enter')
    const file = readFileSync(await (await coming).path(), 'utf8')
    expect(file.trim().split('\n')).toHaveLength(2)
    expect(file).toContain('WEBHOOK_ADDED')
  })

  test('selection and test results are reset between webhook pages', async () => {
    for (const name of ['First', 'Second']) await addWebhook(name)
    // The page has cached an empty list.
    await page.goto(`${world.address}/console/`)
    await heading(page, 'Overview').waitFor()
    for (const name of ['Second', 'First']) {
      await goBy(page, 'w', 'Webhooks')
      await page.getByRole('link', { name, exact: true }).press('Enter')
      await heading(page, name).waitFor()
    }
    await pressKey(page, 'Send test event')
    await page.getByText('The test event was acknowledged.').waitFor()
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check()
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search pages').fill('second')
    await page.getByRole('option', { name: 'Second', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Second').waitFor()
    expect(await page.getByText(/ selected$|event was acknowledged/).allInnerTexts()).toEqual([])
  })

  test('editing a webhook sends only the edited members', async () => {
    const { id } = await addWebhook('Third')
    await page.goto(`${world.address}/console/webhooks/${id}`)
    await pressKey(page, 'Edit')
    const data = { url: `${receiver.address}/moved`, categories: ['CONTROL'] }
    const path = `${world.address}/console/api/webhooks`
    expect((await page.request.patch(`${path}/${id}`, { headers: ownHeaders(), data })).status()).toBe(200)
    await page.getByLabel('Name').fill('Fourth')
    await inDialog(page, 'Save').press('Enter')
    await heading(page, 'Fourth').waitFor()
    const { webhooks } = await (await page.request.get(path)).json()
    expect(webhooks.find((one: { id: string }) => one.id === id)).toMatchObject({ name: 'Fourth', ...data })
  })

  test('there were no script errors and no policy violations', () => {
    expect(world.complaints).toEqual([])
  })
})
