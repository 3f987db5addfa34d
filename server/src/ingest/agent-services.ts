import { products } from '@muster/contract/catalogue/products'
import type { AgentServices } from '../http/agent-routes.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { DerivedKeys } from '../lib/secret.ts'
import { keepPolicyTerms } from '../storage/policy-revision.ts'
import type { Db } from '../storage/sql.ts'
import { findAgent } from './agent-directory.ts'
import { enrolService } from './enrol.ts'
import { type PolicyTerms, policyService } from './policy.ts'
import { rangeService } from './range.ts'

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
  await db.inTransaction((tx) => keepPolicyTerms(tx, JSON.stringify(terms()), unixSeconds(clock)))
  return {
    findAgent: (hash) => findAgent(db, hash),
    enrol: enrolService({ db, clock, makeId }),
    intake: options.intake,
    policy: policyService({ db, clock, keys, products, terms }),
    leaked: (prefix) => range.lines(prefix),
  }
}
