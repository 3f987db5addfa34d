import type { PolicyBlockedUrl } from '@muster/contract/agent/agent-policy'
import { browser } from 'wxt/browser'
import { sha256Hex } from '../lib/digest.ts'
import { storedPolicy } from '../policy/policy-store.ts'
import { stored } from '../state/stored.ts'
import { planBlocking, type RuleLimits } from './block-rules.ts'

/** Path of the page that blocked main frames are redirected to. */
export const blockPagePath = '/block.html'

/** Version of the rules that this module creates. A change makes an updated agent apply the policy again. */
const rulesVersion = 1

/** Digest of the input of the browser's current rules. */
const applied = stored<string | null>('appliedBlocking', null)

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Replaces the browser's rules with those of the policy, unless they are current. The browser keeps them across
 * restarts and offline; they are replaced atomically.
 *
 * @param serverUrl the agent's own server, which must stay reachable or a pattern could never be withdrawn
 */
function applyBlocking(blockedUrls: readonly PolicyBlockedUrl[], serverUrl: string | null): Promise<void> {
  lastTurn = lastTurn.catch(() => undefined).then(() => apply(blockedUrls, serverUrl))
  return lastTurn
}

async function apply(blockedUrls: readonly PolicyBlockedUrl[], serverUrl: string | null): Promise<void> {
  const key = await sha256Hex(JSON.stringify([rulesVersion, serverUrl, blockedUrls.map(({ url }) => url)]))
  if ((await applied.read()) === key) return
  try {
    await replaceRules(await rulesOf(blockedUrls), serverUrl)
  } catch {
    // If the browser rejects the exact rules, coarse rules still block.
    await replaceRules(coarseRulesOf(blockedUrls), serverUrl)
  }
  await applied.change(() => key)
}

async function replaceRules(rules: readonly Rule[], serverUrl: string | null): Promise<void> {
  const before = await browser.declarativeNetRequest.getDynamicRules()
  await browser.declarativeNetRequest.updateDynamicRules({
    removeRuleIds: before.map(({ id }) => id),
    addRules: [...rules, ...(serverUrl === null ? [] : [ownServerRule(rules.length + 1, serverUrl)])],
  })
}

type Rule = ReturnType<typeof planBlocking>['rules'][number]

/**
 * Maximum number of planning rounds. Expressions that the browser rejects make room for others, which must be checked
 * in turn.
 */
const roundsMaximum = 8

async function rulesOf(blockedUrls: readonly PolicyBlockedUrl[]): Promise<readonly Rule[]> {
  const limits = ruleLimits()
  const refused = new Set<string>()
  for (let round = 0; round < roundsMaximum; round += 1) {
    const plan = planBlocking(blockedUrls, blockPagePath, limits, refused)
    const more = await refusedOf(plan.regexes.filter((regex) => !refused.has(regex)))
    if (more.size === 0) return plan.rules
    for (const regex of more) refused.add(regex)
  }
  return coarseRulesOf(blockedUrls)
}

function coarseRulesOf(blockedUrls: readonly PolicyBlockedUrl[]): readonly Rule[] {
  return planBlocking(blockedUrls, blockPagePath, { ...ruleLimits(), regexes: 0 }).rules
}

/** Returns the regular expressions that this browser does not support. */
async function refusedOf(regexes: readonly string[]): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(
    regexes.map((regex) => browser.declarativeNetRequest.isRegexSupported({ regex, isCaseSensitive: true })),
  )
  return new Set(regexes.filter((_, index) => answers[index]?.isSupported === false))
}

/**
 * Returns the limits of this browser; Firefox and older browsers allow less than current Chromium. One rule is reserved
 * for the agent.
 */
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

/** Applies the stored policy, or none. Call when the background starts. */
export async function applyStoredBlocking(serverUrl: string | null): Promise<void> {
  await applyBlocking(serverUrl === null ? [] : ((await storedPolicy())?.blockedUrls ?? []), serverUrl)
}
