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
  try {
    await replaceRules(await rulesOf(blockedUrls), serverUrl)
  } catch {
    // Whatever this browser does not like about the exact rules, it must not leave everything open.
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

/** In each round those that the browser refuses make room for others, which have to be asked for in turn. */
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
