import type { Page } from 'playwright-core'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from './agent-browser.ts'
import type { LaunchPlan, World } from './make-world.ts'
import type { ApiRecord } from './muster-service.ts'
import { policyOf } from './policy-arrives.ts'

/** Returns the employee with this address, creating it if needed. */
export async function employeeOf(world: World, email: string): Promise<ApiRecord> {
  const found = (await world.muster.list(`/v1/employees?email=${encodeURIComponent(email)}`)).at(0)
  return found ?? ((await world.muster.call('POST', '/v1/employees', { email })) as ApiRecord)
}

/** Creates an enrollment link for an employee. */
export async function enrollmentLink(world: World, employeeId: string): Promise<string> {
  const { enrollmentLink } = await world.muster.call('POST', `/v1/employees/${employeeId}/enrollmentLink`)
  return String(enrollmentLink)
}

/** Returns the agent's own consent page, waiting for it if needed. */
export const consentPage = (world: World, { context }: AgentBrowser): Promise<Page> =>
  until('consent page', () =>
    context.pages().find((page) => page.url().startsWith(`chrome-extension://${world.agentId}/enroll`)),
  )

/** Launches a browser and enrolls it for an employee as users do: with the link and the consent page. */
export async function connectedBrowser(
  world: World,
  email: string,
  plan: LaunchPlan = {},
): Promise<{ browser: AgentBrowser; employee: ApiRecord; record: ApiRecord }> {
  const employee = await employeeOf(world, email)
  const link = await enrollmentLink(world, employee.id)
  const browser = await world.launch(plan)
  const page = await browser.open(link)
  const consent = await consentPage(world, browser)
  await consent.getByRole('button', { name: /^connect/i }).click()
  const record = await world.muster.waitFor(
    '/v1/browsers',
    ({ employeeId }) => employeeId === employee.id,
    `browser of ${email}`,
  )
  await until('policy in the browser', () => policyOf(world, browser))
  await page.close()
  return { browser, employee, record }
}
