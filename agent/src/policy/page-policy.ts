import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { pendingBanner } from '../banner/banner-memory.ts'
import type { FramePolicy, PageBanner, PagePolicy, PageProduct } from '../messages.ts'
import { frameWords } from '../observe/words/frame-words.ts'
import { catalogOf } from './page-catalog.ts'
import { currentPolicy } from './policy-store.ts'

const off = { mode: 'OFF', byApp: {} } as const

/** Policy of a content script while observation is off. */
const inactive: Omit<PagePolicy, 'host' | 'registrableHost'> = {
  active: false,
  organizationName: '',
  contact: null,
  product: null,
  maliciousCopyPaste: off,
}

/**
 * Returns the policy of a frame.
 *
 * @param host host of the frame, as supplied by the browser
 */
export async function pagePolicy(host: string): Promise<PagePolicy> {
  const hosts = { host, registrableHost: registrableHost(host) ?? host }
  const policy = await currentPolicy()
  if (!policy) return { ...inactive, ...hosts }
  const product = productOf(policy, host)
  return {
    ...hosts,
    active: true,
    organizationName: policy.organizationName,
    contact: policy.contact,
    product,
    maliciousCopyPaste: policy.maliciousCopyPaste,
  }
}

/**
 * Returns the policy of a frame, with the words that it needs if it is observed.
 *
 * @param host host of the frame, as supplied by the browser
 * @param hasWords true if the frame already has the words
 */
export async function framePolicy(host: string, hasWords: boolean): Promise<FramePolicy> {
  const policy = await pagePolicy(host)
  return { ...policy, words: policy.active && !hasWords ? frameWords : null }
}

/** Returns the banner that a page must show now; null if there is none. */
export async function pageBanner(host: string): Promise<PageBanner | null> {
  const policy = await currentPolicy()
  if (!policy || policy.banners.length === 0) return null
  const appType = productOf(policy, host)?.appType ?? null
  const banner = await pendingBanner(policy.banners, appType, registrableHost(host) ?? host)
  return banner && { banner, organizationName: policy.organizationName }
}

function productOf(policy: AgentPolicy, host: string): PageProduct | null {
  const product = catalogOf(policy).byHost(host)
  if (!product) return null
  const { appType, friendlyName, identityProvider } = product
  return { appType, friendlyName, isIdentityProvider: identityProvider !== undefined }
}
