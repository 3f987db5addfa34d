import type { AgentPolicy } from '@muster/contract/agent-policy'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { openBanner } from '../banner/banner-memory.ts'
import type { FramePolicy, PageBanner, PagePolicy, PageProduct } from '../messages.ts'
import { frameWords } from '../observe/words/frame-words.ts'
import { catalogOf } from './page-catalog.ts'
import { currentPolicy } from './policy-store.ts'

const off = { mode: 'OFF', byApp: {} } as const

/** What a content script is told while nothing is observed. */
const inactive: Omit<PagePolicy, 'host' | 'registrableHost'> = {
  active: false,
  organizationName: '',
  contact: null,
  product: null,
  maliciousCopyPaste: off,
}

/**
 * The policy of one frame.
 *
 * @param host of the frame, by the browser's word
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
 * The policy of one frame, with the words that it needs once anything is observed there.
 *
 * @param host of the frame, by the browser's word
 * @param hasWords true if the frame was given them before
 */
export async function framePolicy(host: string, hasWords: boolean): Promise<FramePolicy> {
  const policy = await pagePolicy(host)
  return { ...policy, words: policy.active && !hasWords ? frameWords : null }
}

/** The banner that a page has to show now; null if there is none. */
export async function pageBanner(host: string): Promise<PageBanner | null> {
  const policy = await currentPolicy()
  if (!policy || policy.banners.length === 0) return null
  const appType = productOf(policy, host)?.appType ?? null
  const banner = await openBanner(policy.banners, appType, registrableHost(host) ?? host)
  return banner && { banner, organizationName: policy.organizationName }
}

function productOf(policy: AgentPolicy, host: string): PageProduct | null {
  const product = catalogOf(policy).byHost(host)
  if (!product) return null
  const { appType, friendlyName, identityProvider } = product
  return { appType, friendlyName, isIdentityProvider: identityProvider !== undefined }
}
