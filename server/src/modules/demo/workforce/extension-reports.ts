import type { ExtensionsEvent, ExtensionThreatEvent } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import type { Unnamed } from './attacks.ts'
import { installedExtensions } from './installed-extensions.ts'

/** Reports of one browser's extensions. */
export interface ExtensionReports {
  /** What is told when the browser starts: the list if it has changed, and what of it is on the bad list. */
  take(
    day: number,
    timestamp: number,
    policy: AgentPolicy,
  ): (Unnamed<ExtensionsEvent> | Unnamed<ExtensionThreatEvent>)[]
}

/** From 0 to 1: how likely an extension of the bad list is gone at the next start. */
const removesBad = 0.55

/** Follows the extensions of a browser, and tells what is new as an agent does. */
export function extensionReports(random: SeededRandom, days: number): ExtensionReports {
  const extensions = installedExtensions(random, days)
  const removed = new Set<string>()
  let listTold = ''
  let threatsTold = ''

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
      if (list === listTold) return []
      listTold = list
      const risks = new Map(policy.badExtensions.map(({ extensionId, risk }) => [extensionId, risk]))
      const threats = facts.flatMap(({ extensionId, enabled }) => {
        const risk = risks.get(extensionId)
        const found = { kind: 'EXTENSION_THREAT' as const, timestamp, extensionId, disabled: !enabled }
        return risk ? [{ ...found, risk }] : []
      })
      for (const { extensionId } of threats) if (random.chance(removesBad)) removed.add(extensionId)
      const threatsNow = JSON.stringify(threats.map(({ extensionId, disabled }) => [extensionId, disabled]))
      const isNews = threatsNow !== threatsTold
      threatsTold = threatsNow
      return [{ kind: 'EXTENSIONS', timestamp, extensions: facts }, ...(isNews ? threats : [])]
    },
  }
}
