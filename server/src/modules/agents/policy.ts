import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { Product } from '@muster/contract/catalog/product'
import { type Employee, employees } from '@muster/contract/records/employee'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { addressHmac } from '../../kernel/lib/secrets/address-hmac.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { recordDormantCall } from '../browsers/browser-credentials.service.ts'
import { type StolenCredentialCheck, stolenCredentialsOf } from '../credentials/stolen-credentials.service.ts'
import { workIdentitiesOf } from '../ingest/work-identities.rules.ts'
import type { AgentPrincipal } from './agent-principal.ts'
import { isDormant } from './enroll.rules.ts'
import { policyProduct, protectionFor } from './policy.rules.ts'
import { type PolicyParts, policyParts } from './policy-parts.ts'
import { addressesOf, policyVersionAt } from './policy-version.ts'

/** Settings of the deployment that are part of every policy. */
export interface PolicySettings {
  readonly heartbeatSeconds: number
  /** True if leaked passwords can be looked up. */
  readonly leakedLookup: boolean
}

export interface PolicyOptions {
  readonly db: Db
  readonly clock: Clock
  readonly keys: Pick<DerivedKeys, 'addressHmac'>
  /** Products of Muster's catalog. */
  readonly products: readonly Product[]
  settings(): PolicySettings
}

/** Policy as JSON; without a body if the browser already has the version. */
export type PolicyReply =
  | { readonly dormant: true }
  | { readonly version: string; readonly body: string | undefined }

/**
 * Returns the policies of browsers, built from controls, employee and apps (domain contract, section 7).
 * Parts that a whole organization shares are read once per revision.
 *
 * @returns a function that takes a test for the version of the browser
 */
export function policyService({ db, clock, keys, products, settings }: PolicyOptions) {
  const partsOf = policyParts(db, products)
  return async (agent: AgentPrincipal, hasVersion: (version: string) => boolean): Promise<PolicyReply> => {
    const text = await readRecordText(db, employees, agent.org, agent.employeeId)
    const employee = text === undefined ? undefined : (JSON.parse(text) as Employee)
    if (!employee || isDormant(employee)) {
      await recordDormantCall(db, agent, unixSeconds(clock))
      return { dormant: true }
    }
    const revision = await policyRevision(db, agent.org)
    const version = policyVersionAt(revision, employee)
    if (hasVersion(version)) return { version, body: undefined }
    const parts = await partsOf(agent.org, revision)
    const addresses = addressesOf(employee)
    const hmacs = addresses.map((address) => addressHmac(keys.addressHmac, agent.org, address))
    const stolen = await stolenCredentialsOf(db, agent.org, hmacs)
    return { version, body: documentOf(version, settings(), parts, employee, addresses, stolen) }
  }
}

function documentOf(
  version: string,
  settings: PolicySettings,
  parts: PolicyParts,
  employee: Employee,
  addresses: readonly string[],
  stolenCredentials: readonly StolenCredentialCheck[],
): string {
  const { controls } = parts
  const document: Omit<AgentPolicy, 'banners' | 'blockedUrls'> = {
    version,
    heartbeatSeconds: settings.heartbeatSeconds,
    organizationName: parts.organizationName,
    contact: controls.contact,
    protectedPasswords: protectionFor(controls.protectedPasswords, employee),
    protectedAppTypes: parts.protectedAppTypes,
    clonedLoginPages: protectionFor(controls.clonedLoginPages, employee),
    phishingTools: protectionFor(controls.phishingTools, employee),
    maliciousCopyPaste: protectionFor(controls.maliciousCopyPaste, employee),
    blockedExtensionIds: controls.blockedExtensionIds,
    badExtensions: controls.badExtensions,
    restrictedWords: controls.restrictedWords,
    leakedLookup: settings.leakedLookup,
    stolenCredentials,
    workIdentities: workIdentitiesOf(addresses),
    products: parts.ownProducts.map(policyProduct),
  }
  const texts = `"banners":${parts.bannersJson(employee)},"blockedUrls":${parts.blockedUrlsJson}`
  return `${JSON.stringify(document).slice(0, -1)},${texts}}`
}
