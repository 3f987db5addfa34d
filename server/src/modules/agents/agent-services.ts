import { products } from '@muster/contract/catalog/products'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import { updatePolicySettings } from '../../kernel/organizations/policy-revision.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { rangeService } from '../credentials/range.ts'
import { findAgent } from './agent-directory.ts'
import type { AgentServices } from './agent-routes.ts'
import { enrollService } from './enroll.ts'
import { type PolicyTerms, policyService } from './policy.ts'

/** What the services for agents need to know of the deployment. */
export interface AgentOptions {
  readonly db: Db
  readonly keys: DerivedKeys
  readonly clock: Clock
  makeId(): string
  /** Where a file of leaked passwords would be. */
  readonly dataDir: string
  readonly rangeUrl: string | undefined
  readonly heartbeatSeconds: number
  /** Takes in batches of events. */
  readonly intake: AgentServices['intake']
}

/**
 * Joins what the server does for agents. The settings that stand in every policy are noted, so that browsers hear of
 * them when they have changed since the last start.
 */
export async function agentServices(options: AgentOptions): Promise<AgentServices> {
  const { db, keys, clock, makeId } = options
  const range = rangeService(options)
  const terms = (): PolicyTerms => ({
    heartbeatSeconds: options.heartbeatSeconds,
    leakedLookup: range.enabled(),
  })
  await db.inTransaction((tx) => updatePolicySettings(tx, JSON.stringify(terms()), unixSeconds(clock)))
  return {
    findAgent: (hash) => findAgent(db, hash),
    enroll: enrollService({ db, clock, makeId }),
    intake: options.intake,
    policy: policyService({ db, clock, keys, products, terms }),
    leaked: (prefix) => range.lines(prefix),
  }
}
