import { connectedBrowser } from '../../e2e/src/connect.ts'
import { chromiumPerson } from './chromium-person.ts'
import type { Person } from './lab-person.ts'
import type { BrowserName, Product } from './lab-product.ts'
import type { LabWorld } from './lab-world.ts'

/** A browser with the agent, enrolled for an employee of its own, and the person in front of it. */
export interface LabBrowser extends AsyncDisposable {
  readonly person: Person & {
    slowCpu(factor: number): Promise<void>
    /** Ends a flow: goes elsewhere, closes all tabs, and forgets cookies and storage. */
    leave(): Promise<void>
  }
}

export async function openLabBrowser(
  { world }: LabWorld,
  product: Product,
  name: BrowserName,
): Promise<LabBrowser> {
  if (name === 'firefox') throw new Error('Firefox is not driven yet')
  const email = `${product.name}@acme-works.example`
  const { browser } = await connectedBrowser(world, email, { profile: `profile-${product.name}` })
  const person = await chromiumPerson(browser.context, product.host)
  return { person, [Symbol.asyncDispose]: () => browser.close() }
}
