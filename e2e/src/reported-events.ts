import type { AgentEvent } from '@muster/contract/agent-event'
import type { World } from './world.ts'

/** All events of a kind that were sent to Muster, as they were on the wire; one that was sent twice is there twice. */
export function reportedEvents<K extends AgentEvent['kind']>(
  { line }: World,
  wanted: K,
): Extract<AgentEvent, { kind: K }>[] {
  return line.requests
    .filter(({ target }) => target === '/agent/v1/events')
    .flatMap(({ body }) => (JSON.parse(body) as { events: AgentEvent[] }).events)
    .filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === wanted)
}
