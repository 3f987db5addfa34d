import type { AgentEvent } from '@muster/contract/agent-event'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from './agent-browser.ts'
import type { World } from './make-world.ts'

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

/** Waits until a login is safe in the browser, to be reported when it can be. */
export async function loginIsQueued(world: World, browser: AgentBrowser, email: string): Promise<void> {
  // The e-mail address alone is also in what the agent knows of passwords, a moment earlier.
  const member = `"email":${JSON.stringify(email)}`
  await until(`login of ${email} that waits to be reported`, async () =>
    JSON.stringify(await world.stored(browser)).includes(member),
  )
}
