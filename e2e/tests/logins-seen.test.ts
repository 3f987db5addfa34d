import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { connectedBrowser } from '../src/connect.ts'
import { answerFedCm, plugInSecurityKey } from '../src/credential-dialogs.ts'
import { writePasswordManager } from '../src/fixture-extensions.ts'
import type { ApiRecord } from '../src/muster-service.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { findTraces, tracesOf } from '../src/secret-traces.ts'
import { answerTwoSteps, enterPassword, signIn, signInByTwoSteps, submit } from '../src/sign-in.ts'
import { federatedEmail } from '../src/sites/credentials.ts'
import { wrongPassword } from '../src/sites/site.ts'
import { inWorld } from '../src/world.ts'

const noMethods = {
  passwordLogin: false,
  lastPasswordLoginTimestamp: null,
  oidcLogin: null,
  lastOidcLoginTimestamp: null,
  samlLogin: null,
  lastSamlLoginTimestamp: null,
  oktaSwaLogin: false,
  lastOktaSwaLoginTimestamp: null,
  vendorSsoLogin: null,
  lastVendorSsoLoginTimestamp: null,
  fedCmLogin: null,
  lastFedCmLoginTimestamp: null,
}
const aTime = expect.any(Number)
const aUuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const byPassword = { ...noMethods, passwordLogin: true, lastPasswordLoginTimestamp: aTime }

inWorld('a login in the browser', (world) => {
  let browser: AgentBrowser
  let employee: ApiRecord
  let page: Page
  const kept = { email: 'kept@acme-works.example', password: 'Keeper&Marmalade-7' }

  beforeAll(async () => {
    const extensions = [
      writePasswordManager(join(world.folder, 'extensions'), kept.email, world.secret(kept.password)),
    ]
    const connected = await connectedBrowser(world, 'ada@acme-works.example', { extensions })
    browser = connected.browser
    employee = connected.employee
    page = await browser.context.newPage()
  })

  const accountOf = (email: string, list = 'accounts') =>
    world.muster.waitFor(`/v1/${list}?email=${email}`, () => true, `account of ${email}`)
  const useOf = (account: ApiRecord, list = 'accounts') =>
    world.muster.list(`/v1/${list}/${account.id}/usedBy`)

  test('with a typed password becomes an account of the app and the employee', async () => {
    const email = 'typed@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret('Velvet-Otter-31!') })
    const account = await accountOf(email)
    expect(account).toEqual({
      id: aUuid,
      employeeId: employee.id,
      appType: 'ZAPIER',
      appId: aUuid,
      email,
      mfaRegistered: null,
      mfaMethods: null,
      passwordId: aUuid,
      loginMethods: byPassword,
      creationTimestamp: aTime,
      lastUsedTimestamp: aTime,
    })
    expect(await useOf(account)).toEqual([
      { employeeId: employee.id, lastUsedTimestamp: aTime, passwordManuallyTyped: true },
    ])
    const app = await world.muster.call('GET', `/v1/apps/${account.appId}`)
    expect(app).toMatchObject({ type: 'ZAPIER', friendlyName: 'Zapier', notes: '', labels: [] })
  })

  test('with a pasted password counts as not typed', async () => {
    const email = 'pasted@acme-works.example'
    await signIn(page, {
      host: 'www.dropbox.com',
      email,
      password: world.secret('Quartz#Lagoon+58'),
      entry: 'pasted',
    })
    const account = await accountOf(email)
    expect(account).toMatchObject({ appType: 'DROPBOX', loginMethods: byPassword })
    expect(await useOf(account)).toMatchObject([{ passwordManuallyTyped: false }])
  })

  test('with a password filled in by the browser counts as not typed', async () => {
    const email = 'filled@acme-works.example'
    const password = world.secret('Browser~Saved~Me~19')
    await browser.savePassword('https://trello.com/login', email, password)
    await page.goto('https://trello.com/login')
    await page.locator('[type=password]:autofill').waitFor()
    await submit(page, 'Log in')
    const account = await accountOf(email)
    expect(account).toMatchObject({ appType: 'TRELLO', loginMethods: byPassword })
    expect(await useOf(account)).toMatchObject([{ passwordManuallyTyped: false }])
  })

  test('with a password filled in by a password manager counts as not typed', async () => {
    await page.goto('https://www.notion.so/login?keeper')
    await until('filled field', async () => (await page.locator('[type=password]').inputValue()) !== '')
    await submit(page, 'Log in')
    const account = await accountOf(kept.email)
    expect(account).toMatchObject({ appType: 'NOTION', loginMethods: byPassword })
    expect(await useOf(account)).toMatchObject([{ passwordManuallyTyped: false }])
  })

  test('in two steps has the address of the first step', async () => {
    const email = 'two-steps@acme-works.example'
    const password = world.secret('Two.Steps.To.Heaven.4')
    await signInByTwoSteps(page, { host: 'zapier.com', email, password })
    expect(await accountOf(email)).toMatchObject({ appType: 'ZAPIER', loginMethods: byPassword })
  })

  test('of a single-page app is detected', async () => {
    const email = 'scripted@acme-works.example'
    await page.goto('https://desk.tinworks.example/spa')
    await page.getByPlaceholder('E-mail').fill(email)
    await page.getByPlaceholder('Password').pressSequentially(world.secret('Single%Page%Sofa%6'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    const account = await accountOf(email, 'accountsOther')
    const app = await world.muster.call('GET', `/v1/appsOther/${account.otherAppId}`)
    expect(account).toMatchObject({ employeeId: employee.id, loginMethods: byPassword })
    expect(app).toMatchObject({
      domain: 'tinworks.example',
      requestSupportStatus: 'DISCOVERED',
      hidden: false,
    })
  })

  test('followed by a one-time code registers that second factor', async () => {
    const email = 'second-step@acme-works.example'
    const password = world.secret('Second^Factor^First^2')
    await signIn(page, { host: 'zapier.com', path: '/otp-login', email, password })
    await page.getByLabel('Code').pressSequentially('246810')
    await submit(page, 'Verify')
    expect(await accountOf(email)).toMatchObject({ mfaRegistered: true, mfaMethods: ['APP_TOTP'] })
  })

  test('with OpenID Connect is an account without a password, with the address from the identity provider', async () => {
    const email = 'oidc@acme-works.example'
    await page.goto('https://www.dropbox.com/sso/google')
    await answerTwoSteps(page, email, world.secret('Google=Knows=This=88'))
    await page.waitForURL('https://www.dropbox.com/home')
    const account = await world.muster.waitFor(
      `/v1/accounts?appType=DROPBOX&email=${email}`,
      () => true,
      `account of ${email}`,
    )
    expect(account).toMatchObject({
      employeeId: employee.id,
      passwordId: null,
      loginMethods: { ...noMethods, oidcLogin: 'GOOGLE_WORKSPACE', lastOidcLoginTimestamp: aTime },
    })
    expect(await useOf(account)).toMatchObject([{ passwordManuallyTyped: null }])
    // The password was entered at the identity provider, so there it is a password login.
    expect(
      await world.muster.waitFor(
        `/v1/accounts?appType=GOOGLE_WORKSPACE&email=${email}`,
        () => true,
        'account at the identity provider',
      ),
    ).toMatchObject({ loginMethods: byPassword, passwordId: aUuid })
  })

  test('with SAML is an account without a password', async () => {
    const email = 'saml@acme-works.example'
    await page.goto('https://trello.com/sso/okta')
    await answerTwoSteps(page, email, world.secret('Okta*Asked*Me*Once*5'))
    await page.waitForURL('https://trello.com/home')
    const account = await world.muster.waitFor(
      `/v1/accounts?appType=TRELLO&email=${email}`,
      () => true,
      `account of ${email}`,
    )
    expect(account).toMatchObject({
      passwordId: null,
      loginMethods: { ...noMethods, samlLogin: 'OKTA', lastSamlLoginTimestamp: aTime },
    })
  })

  test('with FedCM is an account without a password, with the address from the token, and the hook is invisible', async () => {
    const own = await browser.context.newPage()
    await answerFedCm(own)
    await own.goto('https://www.dropbox.com/fedcm')
    expect(JSON.parse((await own.locator('#native').textContent()) ?? '')).toEqual({
      name: 'get',
      length: 0,
      own: false,
      prototype: false,
      text: expect.stringMatching(/^function \w*\(\) \{ \[native code\] \}$/),
    })
    await own.getByRole('button').click()
    await own.waitForURL('https://www.dropbox.com/home')
    const account = await accountOf(federatedEmail)
    expect(account).toMatchObject({
      appType: 'DROPBOX',
      employeeId: employee.id,
      passwordId: null,
      loginMethods: { ...noMethods, fedCmLogin: 'GOOGLE_WORKSPACE', lastFedCmLoginTimestamp: aTime },
    })
    // Neither the token nor any part of it.
    const sent = JSON.stringify(
      reportedEvents(world, 'LOGIN').filter(({ email }) => email === federatedEmail),
    )
    expect(sent).not.toContain('eyJ')
    await own.close()
  })

  test('followed by a security key registers that second factor, whatever the page calls it', async () => {
    const email = 'key@acme-works.example'
    const own = await browser.context.newPage()
    await plugInSecurityKey(own, 'zapier.com')
    const password = world.secret('Second^Factor^Key^8')
    await signIn(own, { host: 'zapier.com', path: '/key-login', email, password })
    await own.getByRole('button', { name: 'Go on' }).click()
    await own.waitForURL('https://zapier.com/home')
    expect(await accountOf(email)).toMatchObject({
      mfaRegistered: true,
      mfaMethods: ['WEBAUTHN'],
      loginMethods: byPassword,
    })
    await own.close()
  })

  test('that failed is not reported, however the site responds', async () => {
    const password = world.secret(wrongPassword)
    await signIn(page, { host: 'zapier.com', email: 'wrong1@acme-works.example', password })
    await signIn(page, {
      host: 'zapier.com',
      path: '/strict-login',
      email: 'wrong2@acme-works.example',
      password,
    })
    await signInByTwoSteps(page, { host: 'trello.com', email: 'wrong3@acme-works.example', password })
    await page.goto('https://desk.copperworks.example/spa')
    await page.getByPlaceholder('E-mail').fill('wrong4@acme-works.example')
    await page.getByPlaceholder('Password').pressSequentially(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Wrong e-mail or password.').waitFor()
    // Events are reported in order: when this one has arrived, the others would have as well.
    const email = 'right@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret('Right-After-Wrong-12') })
    await accountOf(email)
    expect(await world.muster.list('/v1/accounts?email=wrong')).toEqual([])
    expect(await world.muster.list('/v1/accountsOther?email=wrong')).toEqual([])
    // A site where a work address was entered is an app nevertheless.
    expect(await world.muster.list('/v1/appsOther?domain=copperworks')).toMatchObject([
      { domain: 'copperworks.example' },
    ])
  })

  test('is reported only to Muster', async () => {
    // The check at the end of each file searches all traffic; this test proves that there is something to find.
    const password = world.secret('Wiretap-Mulberry-83-Kite')
    const email = 'wire@acme-works.example'
    await signIn(page, { host: 'zapier.com', email, password: world.secret(wrongPassword) })
    await signIn(page, { host: 'zapier.com', email, password })
    await world.muster.waitFor(`/v1/accounts?email=${email}&appType=ZAPIER`, () => true, 'first account')
    await signInByTwoSteps(page, { host: 'www.dropbox.com', email, password })
    await world.muster.waitFor(`/v1/accounts?email=${email}&appType=DROPBOX`, () => true, 'second account')
    // Typed but never submitted.
    await page.goto('https://portal.brassworks.example/login')
    await enterPassword(page, 'Password', world.secret('Unsent-Parcel-92-Violet'))

    const logins = reportedEvents(world, 'LOGIN').filter((login) => login.email === email)
    expect(logins).toMatchObject([
      { loginUrl: expect.stringMatching(/^https:\/\/zapier\.com\//), email, loginType: 'PASSWORD_LOGIN' },
      { loginUrl: expect.stringMatching(/^https:\/\/www\.dropbox\.com\//), email },
    ])
    const toOthers = world.web.requests.filter(({ headers }) => headers.includes('chrome-extension://'))
    expect(toOthers).toEqual([])

    // The password reaches its own site, so a trace of it would be found, and the agent stores its fingerprint.
    const posts = world.web.requests.filter(({ method, target }) => method === 'POST' && target === '/login')
    expect(findTraces(posts.map(({ body }) => body).join('\n'), tracesOf(password, []))).toContain(
      'clear text in a form',
    )
    const kept = await until('fingerprint in the browser', async () => {
      const text = JSON.stringify(await world.stored(browser))
      const salt = /"salt":"([0-9a-f-]{36})"/.exec(text)?.[1]
      return salt && findTraces(text, tracesOf(password, [salt])).length > 0 ? text : undefined
    })
    expect(findTraces(kept, tracesOf(password, []))).toEqual([])
  })
})
