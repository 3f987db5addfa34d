import type { Flow, Stage } from '../lab-product.ts'
import type { Variant } from './variant-dimensions.ts'
import { variantFlow } from './variant-person.ts'
import { openVariantServer, type VariantServer } from './variant-server.ts'

/** Sites of variants, each on its own subdomain of a common host. */
export interface VariantSites {
  readonly host: string
  start(stage: Stage): Promise<void>
  /**
   * Creates a flow.
   *
   * @param label host name label that only this flow has
   */
  flow(label: string, name: string, variant: Variant, more?: Partial<Flow>): Flow
}

export function variantSites(host: string): VariantSites {
  let server: VariantServer | undefined
  let passwords = 1_000
  const opened = (): VariantServer => {
    if (server === undefined) throw new Error('the server of the variants has not started')
    return server
  }
  return {
    host,
    start: async ({ serve, defer, secret }) => {
      const opening = await openVariantServer(await serve(host), secret)
      server = opening
      defer(() => {
        opening.server.closeAllConnections()
        opening.server.close()
      })
    },
    flow: (label, name, variant, more) => {
      passwords += 1
      const site = { variant, host: `${label}.${host}`, password: `Marble-Orchard-${passwords}` }
      return variantFlow(site, name, opened, more)
    },
  }
}
