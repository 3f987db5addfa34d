import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { connectedBrowser } from '../src/connect.ts'
import { submit } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

inWorld('unusual fields', (world) => {
  let page: Page

  beforeAll(async () => {
    const { browser } = await connectedBrowser(world, 'ada@acme-works.example')
    page = await browser.context.newPage()
  })

  const accountOf = (email: string) =>
    world.muster.waitFor(`/v1/accounts?email=${email}`, () => true, `account of ${email}`)

  test('a password with the name of a code is recognized, and the following code is the second factor', async () => {
    const email = 'one-name@acme-works.example'
    await page.goto('https://zapier.com/shapes/one-name')
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password').pressSequentially(world.secret('Same^Name^Twice^7'))
    await submit(page, 'Next')
    await page.getByLabel('Enter code').pressSequentially('135790')
    await submit(page, 'Verify')
    expect(await accountOf(email)).toMatchObject({
      loginMethods: { passwordLogin: true },
      mfaMethods: ['APP_TOTP'],
    })
  })

  test('a sign-up in a closed shadow root is detected, with its button and with Enter', async () => {
    const fillIn = async (email: string, password: string) => {
      await page.goto('https://trello.com/shapes/sign-up')
      await page.locator('join-form').focus()
      await page.keyboard.type(email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(world.secret(password))
    }
    await fillIn('shadow-button@acme-works.example', 'Closed*Root*Button*3')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('https://trello.com/home')
    expect(await accountOf('shadow-button@acme-works.example')).toMatchObject({ appType: 'TRELLO' })
    await fillIn('shadow-enter@acme-works.example', 'Closed*Root*Enter*4')
    await page.keyboard.press('Enter')
    await page.waitForURL('https://trello.com/home')
    expect(await accountOf('shadow-enter@acme-works.example')).toMatchObject({ appType: 'TRELLO' })
  })

  test('a floating caption labels its field', async () => {
    const email = 'floating@acme-works.example'
    await page.goto('https://zapier.com/shapes/floating')
    await page.locator('[name=a]').fill(email)
    await page.locator('[name=c]').pressSequentially(world.secret('Captions>Float>Over>5'))
    await page.locator('[name=d]').pressSequentially('975310')
    await submit(page, 'Log in')
    expect(await accountOf(email)).toMatchObject({ mfaMethods: ['APP_TOTP'] })
  })

  test.each([
    ['fr', 'APP_TOTP'],
    ['ja', 'SMS_OTP'],
    ['ar', 'EMAIL_OTP'],
  ])('a code with one box per digit is a second factor, in the language %s', async (language, method) => {
    const email = `boxes-${language}@acme-works.example`
    await page.goto(`https://www.dropbox.com/shapes/boxes/${language}`)
    await page.getByLabel('Login').fill(email)
    await page.getByLabel('Password').pressSequentially(world.secret(`Six-Boxes-In-${language}-9`))
    await submit(page, 'OK')
    await page.locator('.box').first().click()
    await page.keyboard.type('246813')
    await page.waitForURL('https://www.dropbox.com/home')
    expect(await accountOf(email)).toMatchObject({ mfaRegistered: true, mfaMethods: [method] })
  })
})
