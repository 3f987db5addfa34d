import type { PolicyBlockedUrl } from '@muster/contract/agent-policy'
import { browser } from 'wxt/browser'
import { sha256Hex } from '../lib/digest.ts'
import { storedPolicy } from '../policy/policy-store.ts'
import { stored } from '../state/stored.ts'
import { planBlocking, type RuleLimits } from './block-rules.ts'

/** Path of the page that main frames are sent to. */
export const blockPagePath = '/block.html'

/** Changes of this module's rules; an update of the agent applies the policy anew by it. */
const rulesVersion = 1

/** A digest of what the browser's rules were made of. */
const applied = stored<string | null>('appliedBlocking', null)

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Makes the browser's rules those of the policy, if they are not already. The browser keeps them over restarts and
 * without a connection; they are replaced all at once.
 *
 * @param serverUrl the agent's own server, which nothing blocks: or a pattern could not be taken back any more
 */
export function applyBlocking(
  blockedUrls: readonly PolicyBlockedUrl[],
  serverUrl: string | null,
): Promise<void> {
  lastTurn = lastTurn.catch(() => undefined).then(() => apply(blockedUrls, serverUrl))
  return lastTurn
}

async function apply(blockedUrls: readonly PolicyBlockedUrl[], serverUrl: string | null): Promise<void> {
  const key = await sha256Hex(JSON.stringify([rulesVersion, serverUrl, blockedUrls.map(({ url }) => url)]))
  if ((await applied.read()) === key) return
  const rules = await rulesOf(blockedUrls)
  const before = await browser.declarativeNetRequest.getDynamicRules()
  await browser.declarativeNetRequest.updateDynamicRules({
    removeRuleIds: before.map(({ id }) => id),
    addRules: [...rules, ...(serverUrl === null ? [] : [ownServerRule(rules.length + 1, serverUrl)])],
  })
  await applied.change(() => key)
}

type Rule = ReturnType<typeof planBlocking>['rules'][number]

async function rulesOf(blockedUrls: readonly PolicyBlockedUrl[]): Promise<readonly Rule[]> {
  const limits = ruleLimits()
  const plan = planBlocking(blockedUrls, blockPagePath, limits)
  const refused = await refusedOf(plan.regexes)
  return refused.size === 0 ? plan.rules : planBlocking(blockedUrls, blockPagePath, limits, refused).rules
}

/** The regular expressions that are too much for this browser. */
async function refusedOf(regexes: readonly string[]): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(
    regexes.map((regex) => browser.declarativeNetRequest.isRegexSupported({ regex, isCaseSensitive: true })),
  )
  return new Set(regexes.filter((_, index) => answers[index]?.isSupported === false))
}

/** What this browser takes; Firefox and older browsers take less than Chromium. One rule is the agent's own. */
function ruleLimits(): RuleLimits {
  const api: Partial<typeof browser.declarativeNetRequest> = browser.declarativeNetRequest
  const rules = (api.MAX_NUMBER_OF_DYNAMIC_RULES ?? 5000) - 1
  return {
    rules,
    redirects: Math.min(rules, api.MAX_NUMBER_OF_UNSAFE_DYNAMIC_RULES ?? 5000),
    regexes: api.MAX_NUMBER_OF_REGEX_RULES ?? 1000,
  }
}

const ownServerRule = (id: number, serverUrl: string): Rule => ({
  id,
  priority: 3,
  action: { type: 'allow' },
  condition: { urlFilter: `|${serverUrl}/agent/`, resourceTypes: ['xmlhttprequest', 'other'] },
})

/** Applies the policy that is kept, or none; for starts of the background. */
export async function applyStoredBlocking(serverUrl: string | null): Promise<void> {
  await applyBlocking(serverUrl === null ? [] : ((await storedPolicy())?.blockedUrls ?? []), serverUrl)
}
