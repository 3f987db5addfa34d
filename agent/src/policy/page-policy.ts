import type { AgentPolicy } from '@muster/contract/agent-policy'
import { registrableHost } from '@muster/contract/catalogue/catalogue'
import { openBanner } from '../banner/banner-memory.ts'
import type { PagePolicy, PageProduct } from '../messages.ts'
import { catalogueOf } from './page-catalogue.ts'
import { currentPolicy } from './policy-store.ts'

const off = { mode: 'OFF', byApp: {} } as const

/** What a content script is told while nothing is observed. */
const inactive: Omit<PagePolicy, 'host' | 'registrableHost'> = {
  active: false,
  organisationName: '',
  contact: null,
  product: null,
  banner: null,
  protectedPasswords: off,
  protectedAppTypes: [],
  clonedLoginPages: off,
  phishingTools: off,
  maliciousCopyPaste: off,
  restrictedWords: [],
  leakedLookup: false,
  stolenCredentials: [],
}

/**
 * The policy of one frame.
 *
 * @param host of the frame, by the browser's word
 * @param isTop whether it is the main frame of its tab; only that has a banner
 */
export async function pagePolicy(host: string, isTop: boolean): Promise<PagePolicy> {
  const hosts = { host, registrableHost: registrableHost(host) ?? host }
  const policy = await currentPolicy()
  if (!policy) return { ...inactive, ...hosts }
  const product = productOf(policy, host)
  return {
    ...hosts,
    active: true,
    organisationName: policy.organisationName,
    contact: policy.contact,
    product,
    banner: isTop ? await openBanner(policy.banners, product?.appType ?? null, hosts.registrableHost) : null,
    protectedPasswords: policy.protectedPasswords,
    protectedAppTypes: policy.protectedAppTypes,
    clonedLoginPages: policy.clonedLoginPages,
    phishingTools: policy.phishingTools,
    maliciousCopyPaste: policy.maliciousCopyPaste,
    restrictedWords: policy.restrictedWords,
    leakedLookup: policy.leakedLookup,
    stolenCredentials: policy.stolenCredentials,
  }
}

function productOf(policy: AgentPolicy, host: string): PageProduct | null {
  const product = catalogueOf(policy).byHost(host)
  if (!product) return null
  const { appType, friendlyName, identityProvider } = product
  return { appType, friendlyName, isIdentityProvider: identityProvider !== undefined }
}
