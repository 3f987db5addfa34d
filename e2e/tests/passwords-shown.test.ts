import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { connectedBrowser } from '../src/connect.ts'
import { enterPassword, submit } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

// The check added by `inWorld` verifies that no password leaves the browser.
inWorld('a password revealed while it is typed', (world) => {
  let page: Page

  beforeAll(async () => {
    const { browser } = await connectedBrowser(world, 'ada@acme-works.example')
    page = await browser.context.newPage()
  })

  const accountOf = (email: string) =>
    world.muster.waitFor(`/v1/accounts?email=${email}`, () => true, `account of ${email}`)
  const show = () => page.getByRole('button', { name: 'Show' }).click()
  const enterIdentity = async (email: string) => {
    await page.goto('https://zapier.com/shown/invitation')
    await page.getByLabel('E-mail').pressSequentially(email)
    await submit(page, 'Next')
  }

  test('belongs to the address above it, even if its name contains "user"', async () => {
    const email = 'shown@acme-works.example'
    const password = world.secret('Shown-Pelican-47-Quarry')
    await page.goto('https://zapier.com/shown/login')
    await page.getByLabel('E-mail').pressSequentially(email)
    await enterPassword(page, 'Password', password)
    await show()
    await submit(page, 'Log in')
    expect(await accountOf(email)).toMatchObject({ loginMethods: { passwordLogin: true } })
  })

  test('that is set and repeated belongs to the address of the previous page', async () => {
    const email = 'invited@acme-works.example'
    const password = world.secret('Invited-Gondola-58-Saffron')
    await enterIdentity(email)
    await enterPassword(page, 'New password', password)
    await show()
    await enterPassword(page, 'Repeat it', password)
    await submit(page, 'Save')
    expect(await accountOf(email)).toMatchObject({ loginMethods: { passwordLogin: true } })
  })

  test.each([
    ['on a separate page', '', 'second-page', 'Lonely-Cactus-29-Viaduct'],
    ['with a replacement of its field', '?way=replace', 'replaced', 'Replaced-Lobster-63-Chimney'],
  ])('%s belongs to the address of the previous page', async (_, query, name, password) => {
    const email = `${name}@acme-works.example`
    await enterIdentity(email)
    await page.goto(`https://zapier.com/shown/password${query}`)
    await enterPassword(page, 'Password', world.secret(password))
    await show()
    await submit(page, 'Continue')
    expect(await accountOf(email)).toMatchObject({ loginMethods: { passwordLogin: true } })
  })
})
