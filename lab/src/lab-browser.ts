import { connectedBrowser, employeeOf, enrollmentLink } from '../../e2e/src/connect.ts'
import { firefoxAgent, launchFirefox } from '../../e2e/src/firefox-browser.ts'
import { reportedEvents } from '../../e2e/src/reported-events.ts'
import { until } from '../../test/support/until.ts'
import { chromiumPerson } from './chromium-person.ts'
import { firefoxPerson } from './firefox-person.ts'
import type { LabPerson } from './lab-person.ts'
import type { BrowserName, Product } from './lab-product.ts'
import type { LabWorld } from './lab-world.ts'

/** Browser with the agent, enrolled for its own employee, and the person in front of it. */
export interface LabBrowser extends AsyncDisposable {
  readonly person: LabPerson
  /** Returns the agent's judgments of the last attempts, latest first; undefined if the browser cannot read them. */
  judged(): Promise<unknown>
}

/**
 * Starts a browser and enrolls it.
 *
 * @param index number of the browser, for products that run in several browsers
 */
export function openLabBrowser(
  lab: LabWorld,
  product: Product,
  name: BrowserName,
  index = 0,
): Promise<LabBrowser> {
  const own = index === 0 ? product.name : `${product.name}-${index}`
  return name === 'firefox' ? openFirefox(lab, product, own) : openChromium(lab, product, own)
}

const emailOf = (own: string): string => `${own}@acme-works.example`

async function openChromium({ world }: LabWorld, product: Product, own: string): Promise<LabBrowser> {
  const { browser } = await connectedBrowser(world, emailOf(own), { profile: `profile-${own}` })
  const person = await chromiumPerson(browser.context, product.host)
  const judged = async () =>
    (await browser.worker(world.agentId)).evaluate("chrome.storage.session.get('logins.judged')")
  return { person, judged, [Symbol.asyncDispose]: () => browser.close() }
}

async function openFirefox({ world }: LabWorld, product: Product, own: string): Promise<LabBrowser> {
  const firefox = await launchFirefox(world)
  const employee = await employeeOf(world, emailOf(own))
  const lists = reportedEvents(world, 'EXTENSIONS').length
  await firefox.install(firefoxAgent)
  await firefox.open(await enrollmentLink(world, employee.id))
  await firefox.goToTab(/^moz-extension:.*enroll\.html/)
  await firefox.click('#connect')
  // The agent lists its extensions once it has a policy.
  await until('list of extensions', () => reportedEvents(world, 'EXTENSIONS').length > lists)
  await firefox.goToTab(/^https:/)
  return {
    person: firefoxPerson(firefox, product.host),
    judged: async () => undefined,
    [Symbol.asyncDispose]: () => firefox.close(),
  }
}
