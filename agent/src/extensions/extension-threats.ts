import type { ExtensionFacts } from '@muster/contract/agent-event'
import type { AgentPolicy } from '@muster/contract/agent-policy'
import type { ReportableEvent } from '../messages.ts'

type ExtensionPolicy = Pick<AgentPolicy, 'badExtensions' | 'blockedExtensionIds'>
type ExtensionState = Pick<ExtensionFacts, 'extensionId' | 'enabled'>
type ThreatEvent = Extract<ReportableEvent, { kind: 'EXTENSION_THREAT' }>

/** Which of the extensions have to be disabled: the organization blocks them, and they are enabled. */
export function extensionsToDisable(
  extensions: readonly ExtensionState[],
  policy: ExtensionPolicy,
): string[] {
  const blocked = new Set(policy.blockedExtensionIds)
  return extensions
    .filter(({ extensionId, enabled }) => enabled && blocked.has(extensionId))
    .map(({ extensionId }) => extensionId)
}

/** What was reported of each extension of the bad list, by its id. */
export type ReportedThreats = Readonly<Record<string, string>>

/**
 * The threats among the extensions that have not been reported as they are now, and what has been reported after
 * these. One that is gone, or off the list, is forgotten, so that it is reported when it comes back.
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
