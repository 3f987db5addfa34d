import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { Catalog } from '@muster/contract/catalog/catalog'
import type { ReportableEvent } from '../messages.ts'

/** Services of the background that login observation uses. */
export interface LoginDeps {
  /** Puts an event into the outbox; false if nothing is reported now. */
  report(event: ReportableEvent): Promise<boolean>
  /** Returns the policy; null while the browser is not enrolled or dormant, which turns observation off. */
  policy(): Promise<AgentPolicy | null>
  /** Returns the catalog: Muster's products and those of the policy. */
  catalog(): Promise<Catalog>
  /** Returns the `SUFFIX:COUNT` lines of a 5-character prefix; null if the request failed. */
  range(prefix: string): Promise<readonly string[] | null>
  /** Returns the address of the browser profile; null if unknown. */
  profileEmail(): Promise<string | null>
}
