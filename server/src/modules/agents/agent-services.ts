import { products } from '@muster/contract/catalog/products'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import { updatePolicySettings } from '../../kernel/organizations/policy-revision.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { rangeService } from '../credentials/range.ts'
import type { AgentServices } from './agent-routes.ts'
import { enrollService } from './enroll.ts'
import { type PolicySettings, policyService } from './policy.ts'

export interface AgentOptions {
  readonly db: Db
  readonly keys: DerivedKeys
  readonly clock: Clock
  makeId(): string
  /** Folder of the file of leaked passwords. */
  readonly dataDir: string
  readonly rangeUrl: string | undefined
  readonly heartbeatSeconds: number
  readonly intake: AgentServices['intake']
}

/**
 * Creates the services for agents. Settings that are part of every policy are stored: if they changed since
 * the last start, browsers fetch their policies again.
 */
export async function agentServices(options: AgentOptions): Promise<AgentServices> {
  const { db, keys, clock, makeId } = options
  const range = rangeService(options)
  const settings = (): PolicySettings => ({
    heartbeatSeconds: options.heartbeatSeconds,
    leakedLookup: range.enabled(),
  })
  await db.inTransaction((tx) => updatePolicySettings(tx, JSON.stringify(settings()), unixSeconds(clock)))
  return {
    enroll: enrollService({ db, clock, makeId }),
    intake: options.intake,
    policy: policyService({ db, clock, keys, products, settings }),
    leaked: (prefix) => range.lines(prefix),
  }
}
