import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { blockedUrlOpened } from './blocked-url-opened.ts'
import type { AnyDetectionSource, DetectionLookups, DetectionSignal } from './detection-source.ts'
import { maliciousExtension } from './malicious-extension.ts'
import { pageThreat } from './page-threat.ts'
import { stolenPasswordUsed } from './stolen-password-used.ts'

/** All sources of detections. */
const detectionSources: readonly AnyDetectionSource[] = [
  blockedUrlOpened,
  pageThreat,
  stolenPasswordUsed,
  maliciousExtension,
]

const byKind = new Map<AgentEvent['kind'], AnyDetectionSource[]>()
for (const source of detectionSources)
  for (const kind of source.kinds) byKind.set(kind, [...(byKind.get(kind) ?? []), source])

/** Returns the signals of all sources in an event. */
export const signalsIn = (event: AgentEvent, lookups: DetectionLookups): DetectionSignal[] =>
  (byKind.get(event.kind) ?? []).flatMap((source) => source.signalsIn(event, lookups))
