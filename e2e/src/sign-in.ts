import type { Page } from 'playwright-core'

/** How a password comes into its field. */
export type Entry = 'typed' | 'pasted'

export interface SignIn {
  readonly host: string
  /** Page of the login form; `/login` if left out. */
  readonly path?: string
  readonly email: string
  readonly password: string
  readonly entry?: Entry
}

/** Logs in at a form of one step, and waits until the site has answered. */
export async function signIn(
  page: Page,
  { host, path = '/login', email, password, entry }: SignIn,
): Promise<void> {
  await page.goto(`https://${host}${path}`)
  await page.getByLabel('E-mail').fill(email)
  await enter(page, 'Password', password, entry)
  await submit(page, 'Log in')
}

/** Logs in where the e-mail address and the password are on pages of their own. */
export async function signInByTwoSteps(
  page: Page,
  { host, path = '/signin', email, password }: SignIn,
): Promise<void> {
  await page.goto(`https://${host}${path}`)
  await answerTwoSteps(page, email, password)
}

/** Answers the two pages of a sign-in in two steps. */
export async function answerTwoSteps(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').pressSequentially(email)
  await submit(page, 'Next')
  await enter(page, 'Password', password)
  await page.getByRole('button', { name: /next|continue/i }).click()
  await page.waitForLoadState('load')
}

/** Puts a password into a field as people do. */
export async function enter(
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

/** Presses a button that leads to another page, and waits for that. */
export async function submit(page: Page, name: string): Promise<void> {
  const answered = page.waitForEvent('domcontentloaded')
  await page.getByRole('button', { name }).click()
  await answered
}
