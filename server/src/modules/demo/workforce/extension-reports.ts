import type { ExtensionsEvent, ExtensionThreatEvent } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import type { Unnamed } from './attacks.ts'
import { installedExtensions } from './installed-extensions.ts'

/** Extension events of one browser. */
export interface ExtensionReports {
  /**
   * Returns the events at the start of the browser: the list if it changed, and the malicious extensions in
   * it.
   */
  take(
    day: number,
    timestamp: number,
    policy: AgentPolicy,
  ): (Unnamed<ExtensionsEvent> | Unnamed<ExtensionThreatEvent>)[]
}

/** Probability that a malicious extension is removed before the next start. */
const removalProbability = 0.55

/** Simulates the extensions of a browser, and reports changes like an agent. */
export function extensionReports(random: SeededRandom, days: number): ExtensionReports {
  const extensions = installedExtensions(random, days)
  const removed = new Set<string>()
  let reportedList = ''
  let reportedThreats = ''

  const listOn = (day: number, { blockedExtensionIds }: AgentPolicy) =>
    extensions
      .filter(
        ({ fromDay, untilDay, extensionId }) => fromDay <= day && day < untilDay && !removed.has(extensionId),
      )
      .map((extension) => {
        const facts = extension.factsOn(day)
        return blockedExtensionIds.includes(facts.extensionId)
          ? { ...facts, enabled: false, disabledReason: 'blocked by the organization' }
          : facts
      })

  return {
    take(day, timestamp, policy) {
      const facts = listOn(day, policy)
      const list = JSON.stringify(facts)
      if (list === reportedList) return []
      reportedList = list
      const risks = new Map(policy.badExtensions.map(({ extensionId, risk }) => [extensionId, risk]))
      const threats = facts.flatMap(({ extensionId, enabled }) => {
        const risk = risks.get(extensionId)
        const found = { kind: 'EXTENSION_THREAT' as const, timestamp, extensionId, disabled: !enabled }
        return risk ? [{ ...found, risk }] : []
      })
      for (const { extensionId } of threats) if (random.chance(removalProbability)) removed.add(extensionId)
      const currentThreats = JSON.stringify(
        threats.map(({ extensionId, disabled }) => [extensionId, disabled]),
      )
      const isChanged = currentThreats !== reportedThreats
      reportedThreats = currentThreats
      return [{ kind: 'EXTENSIONS', timestamp, extensions: facts }, ...(isChanged ? threats : [])]
    },
  }
}
