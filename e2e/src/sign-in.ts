import type { Page } from 'playwright-core'

/** Method of entering a password. */
export type Entry = 'typed' | 'pasted'

export interface SignIn {
  readonly host: string
  /** Path of the login form. Default: `/login`. */
  readonly path?: string
  readonly email: string
  readonly password: string
  readonly entry?: Entry
}

/** Logs in with a one-step form, and waits for the site's response. */
export async function signIn(
  page: Page,
  { host, path = '/login', email, password, entry }: SignIn,
): Promise<void> {
  await page.goto(`https://${host}${path}`)
  await page.getByLabel('E-mail').fill(email)
  await enterPassword(page, 'Password', password, entry)
  await submit(page, 'Log in')
}

/** Logs in on a site that asks for e-mail address and password on separate pages. */
export async function signInByTwoSteps(
  page: Page,
  { host, path = '/signin', email, password }: SignIn,
): Promise<void> {
  await page.goto(`https://${host}${path}`)
  await answerTwoSteps(page, email, password)
}

/** Fills in the two pages of a two-step sign-in. */
export async function answerTwoSteps(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').pressSequentially(email)
  await submit(page, 'Next')
  await enterPassword(page, 'Password', password)
  await page.getByRole('button', { name: /next|continue/i }).click()
  await page.waitForLoadState('load')
}

/** Enters a password as users do. */
export async function enterPassword(
  page: Page,
  label: string,
  password: string,
  entry: Entry = 'typed',
): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  if (entry === 'typed') return field.pressSequentially(password)
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(password)})`)
  await field.focus()
  await page.keyboard.press('ControlOrMeta+V')
}

/** Presses a button that leads to another page, and waits for that page. */
export async function submit(page: Page, name: string): Promise<void> {
  const answered = page.waitForEvent('domcontentloaded')
  await page.getByRole('button', { name }).click()
  await answered
}
