import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { Catalog } from '@muster/contract/catalog/catalog'
import type { ReportableEvent } from '../messages.ts'

/** What the observation of logins needs of the rest of the background. */
export interface LoginDeps {
  /** Puts an event into the outbox; false if nothing is reported now. */
  report(event: ReportableEvent): Promise<boolean>
  /** The policy; null while the browser is not enrolled or dormant: then nothing is observed. */
  policy(): Promise<AgentPolicy | null>
  /** Muster's products and those of the policy. */
  catalog(): Promise<Catalog>
  /** `SUFFIX:COUNT` lines of a 5-character prefix; null if nobody answers. */
  range(prefix: string): Promise<readonly string[] | null>
  /** The address of the browser profile; null if unknown. */
  profileEmail(): Promise<string | null>
}
