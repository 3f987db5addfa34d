import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { allText } from '../src/closed-roots.ts'
import { connectedBrowser } from '../src/connect.ts'
import { plugInSecurityKey } from '../src/credential-dialogs.ts'
import { writeAuthAnswers } from '../src/fixture-extensions.ts'
import { policyOf, quickHeartbeat, setMode } from '../src/policy-arrives.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { ownProviderHost } from '../src/sites/own-sign-on.ts'
import { wrongPassword } from '../src/sites/site.ts'
import { inWorld } from '../src/world.ts'

const email = 'ada@acme-works.example'
const provider = {
  appType: 'IRONWORKS_SIGN_IN',
  friendlyName: 'Ironworks Sign-in',
  website: `https://${ownProviderHost}`,
  description: 'Signs employees in.',
  domains: [ownProviderHost],
  loginHosts: [ownProviderHost],
  identityProvider: 'IRONWORKS_SIGN_IN',
  brandWords: ['Ironworks'],
}

inWorld(
  'a sign-in with the organization’s own identity provider',
  (world) => {
    let browser: AgentBrowser
    let page: Page
    const password = 'Anvil-Sparrow-48-Lantern'

    beforeAll(async () => {
      world.secret(password)
      await world.muster.command('catalog add', world.muster.file('own.json', JSON.stringify(provider)))
      ;({ browser } = await connectedBrowser(world, email))
      await until(
        'provider in the browser',
        async () => (await policyOf(world, browser))?.products.length === 1,
      )
      page = await browser.context.newPage()
    })

    const loginsAt = (host: string) =>
      reportedEvents(world, 'LOGIN').filter(({ loginUrl }) => new URL(loginUrl).hostname === host)
    const loginAt = (host: string) => until(`login at ${host}`, () => loginsAt(host).at(0))
    const asked = async (at: Page | ReturnType<Page['frameLocator']>) => {
      await at.getByLabel('E-mail').fill(email)
      await at.getByLabel('Password').pressSequentially(password)
      await at.getByRole('button', { name: 'Sign in' }).click()
    }
    const byProvider = (loginType: string) => ({ loginType, email, identityProvider: 'IRONWORKS_SIGN_IN' })

    test('is detected with OpenID Connect; the provider’s page is an account itself, without the ID in its address', async () => {
      await page.goto('https://wiki.ironworks.example/oidc')
      await asked(page)
      await page.waitForURL('**/home')
      expect(await loginAt('wiki.ironworks.example')).toMatchObject(byProvider('OIDC_LOGIN'))
      expect(await loginAt(ownProviderHost)).toMatchObject({
        loginType: 'PASSWORD_LOGIN',
        loginUrl: `https://${ownProviderHost}/interaction/*`,
      })
      await world.muster.waitFor(
        '/v1/accounts?appType=IRONWORKS_SIGN_IN',
        () => true,
        'account at the provider',
      )
    })

    test.each([
      ['a posted form', 'post.leadworks.example', '/oidc?mode=form_post', 'OIDC_LOGIN'],
      ['SAML by redirect', 'saml.zincworks.example', '/saml', 'SAML_LOGIN'],
      ['SAML by post', 'samlpost.leadworks.example', '/saml-post', 'SAML_LOGIN'],
    ])('is detected without a page because of a session: %s', async (_, host, path, loginType) => {
      await page.goto(`https://${host}${path}`)
      await page.waitForURL('**/home')
      expect(await loginAt(host)).toMatchObject(byProvider(loginType))
    })

    test('is detected in a popup that closes itself', async () => {
      await page.context().clearCookies()
      await page.goto('https://popup.leadworks.example/oidc-popup')
      const opened = page.waitForEvent('popup')
      await page.getByRole('button').click()
      const popup = await opened
      const closed = popup.waitForEvent('close')
      await asked(popup)
      await closed
      expect(await loginAt('popup.leadworks.example')).toMatchObject(byProvider('OIDC_LOGIN'))
    })

    test('is detected in a frame of the app', async () => {
      await page.context().clearCookies()
      await page.goto('https://frame.ironworks.example/oidc-frame')
      await asked(page.frameLocator('iframe'))
      expect(await loginAt('frame.ironworks.example')).toMatchObject(byProvider('OIDC_LOGIN'))
    })

    test('has a page whose copies are blocked, but not the organization’s own pages', async () => {
      await setMode(world, browser, 'clonedLoginPages', 'BLOCK')
      await page.goto('https://www.zincworks.example/works')
      await world.muster.waitFor(
        '/v1/detections?detectionType=PHISHING',
        ({ url }) => url === 'https://www.zincworks.example/works',
        'detection of the copy',
      )
      expect(await allText(page)).toContain('This page is not Ironworks Sign-in')
      await page.goto('https://www.ironworks.example/works')
      await page.getByLabel('Password').waitFor()
      await page.goto('https://one.pewterworks.example/link')
      await page.getByLabel('E-mail').waitFor()
      expect(reportedEvents(world, 'PAGE_THREAT').map(({ url }) => new URL(url).hostname)).toEqual([
        'www.zincworks.example',
      ])
    })

    test('has a password that is protected on a page with one field per character', async () => {
      await setMode(world, browser, 'protectedPasswords', 'WARN')
      await page.goto('https://two.pewterworks.example/split')
      await page.locator('input').first().focus()
      await page.keyboard.type(password)
      await world.muster.waitFor(
        '/v1/detections?detectionType=PHISHING',
        ({ url }) => url === 'https://two.pewterworks.example/split',
        'detection of the typed password',
      )
      expect(await allText(page)).toContain('This is your password for Ironworks Sign-in')
    })
  },
  quickHeartbeat,
)

inWorld('a sign-in without a user name or a password', (world) => {
  let browser: AgentBrowser

  beforeAll(async () => {
    const answers = writeAuthAnswers(world.folder, {
      '/files': world.secret(wrongPassword),
      '/files/budget': world.secret('Unseen-Gate-17-Otter'),
    })
    ;({ browser } = await connectedBrowser(world, email, { extensions: [answers] }))
  })

  const appAt = (domain: string) =>
    world.muster.waitFor(`/v1/appsOther?domain=${domain}`, () => true, `app ${domain}`)
  const accountsAt = async (domain: string) => {
    const { id } = await appAt(domain)
    return (await world.muster.list('/v1/accountsOther')).filter(({ otherAppId }) => otherAppId === id)
  }

  test('with only a passkey reports the app, and an account if the identity is known', async () => {
    const page = await browser.context.newPage()
    await plugInSecurityKey(page, 'one.pewterworks.example')
    await page.goto('https://one.pewterworks.example/passkey')
    await page.getByRole('button').click()
    await page.waitForURL('**/home')
    expect(await accountsAt('pewterworks.example')).toEqual([])
    await page.goto('https://one.pewterworks.example/passkey?who')
    await page.getByLabel('E-mail').pressSequentially('key@acme-works.example')
    await page.getByRole('button').click()
    await page.waitForURL('**/home')
    await world.muster.waitFor('/v1/accountsOther?email=key@', () => true, 'account of the passkey')
    expect(reportedEvents(world, 'LOGIN')).toMatchObject([
      {
        loginType: 'PASSKEY_LOGIN',
        email: 'key@acme-works.example',
        mfa: { method: 'WEBAUTHN' },
        password: null,
      },
    ])
    await page.close()
  })

  test('with a sent link reports an account of the requester', async () => {
    const page = await browser.context.newPage()
    await page.goto('https://link.nickelworks.example/link')
    await page.getByLabel('E-mail').pressSequentially('link@acme-works.example')
    await page.getByRole('button').click()
    await page.getByText('We sent you a link.').waitFor()
    const opened = await browser.open('https://link.nickelworks.example/magic?token=a8Kd03-xYq91mZpT7wLc')
    await opened.waitForURL('**/home')
    const account = await world.muster.waitFor(
      '/v1/accountsOther?email=link@',
      () => true,
      'account of the link',
    )
    expect(await accountsAt('nickelworks.example')).toEqual([account])
    expect(reportedEvents(world, 'LOGIN').at(-1)).toMatchObject({
      loginType: 'ONE_TIME_LOGIN',
      loginUrl: 'https://link.nickelworks.example/link',
    })
    await opened.close()
    await page.close()
  })

  test('with HTTP authentication reports the app and no account, once the password is correct', async () => {
    const page = await browser.context.newPage()
    await page.goto('https://files.chromeworks.example/files')
    await page.getByText('Unauthorized').waitFor()
    expect(await world.muster.list('/v1/appsOther?domain=chromeworks.example')).toEqual([])
    await page.goto('https://files.chromeworks.example/files/budget')
    await page.getByText('A page.').waitFor()
    expect(await accountsAt('chromeworks.example')).toEqual([])
    await page.close()
  })

  test('with only a password reports the app and no account', async () => {
    const page = await browser.context.newPage()
    await page.goto('https://pass.silverworks.example/unlock')
    await page.getByLabel('Password').pressSequentially(world.secret('Unnamed-Gate-71-Heron'))
    await page.getByRole('button').click()
    await page.waitForURL('**/home')
    expect(await accountsAt('silverworks.example')).toEqual([])
    await page.close()
  })
})
