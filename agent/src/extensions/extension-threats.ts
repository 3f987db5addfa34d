import type { ExtensionFacts } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { ReportableEvent } from '../messages.ts'

type ExtensionPolicy = Pick<AgentPolicy, 'badExtensions' | 'blockedExtensionIds'>
type ExtensionState = Pick<ExtensionFacts, 'extensionId' | 'enabled'>
type ThreatEvent = Extract<ReportableEvent, { kind: 'EXTENSION_THREAT' }>

/** Returns the IDs of enabled extensions that the organization blocks. */
export function extensionsToDisable(
  extensions: readonly ExtensionState[],
  policy: ExtensionPolicy,
): string[] {
  const blocked = new Set(policy.blockedExtensionIds)
  return extensions
    .filter(({ extensionId, enabled }) => enabled && blocked.has(extensionId))
    .map(({ extensionId }) => extensionId)
}

/** Last reported state of each extension on the list of bad extensions, by ID. */
export type ReportedThreats = Readonly<Record<string, string>>

/**
 * Returns threats whose state has not been reported yet, and the new reported states. A removed or unlisted extension
 * is dropped, so it is reported again when it returns.
 */
export function newThreats(
  extensions: readonly ExtensionState[],
  policy: ExtensionPolicy,
  reported: ReportedThreats,
): { readonly events: readonly ThreatEvent[]; readonly reported: ReportedThreats } {
  const risks = new Map(policy.badExtensions.map(({ extensionId, risk }) => [extensionId, risk]))
  const events = extensions.flatMap(({ extensionId, enabled }): ThreatEvent[] => {
    const risk = risks.get(extensionId)
    return risk === undefined ? [] : [{ kind: 'EXTENSION_THREAT', extensionId, risk, disabled: !enabled }]
  })
  const standing = ({ risk, disabled }: ThreatEvent) => `${risk} ${disabled ? 'disabled' : 'enabled'}`
  return {
    events: events.filter((event) => reported[event.extensionId] !== standing(event)),
    reported: Object.fromEntries(events.map((event) => [event.extensionId, standing(event)])),
  }
}
