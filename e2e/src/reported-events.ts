import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from './agent-browser.ts'
import type { World } from './make-world.ts'

/** Returns all events of a kind that were sent to Muster. An event that was sent twice is included twice. */
export function reportedEvents<K extends AgentEvent['kind']>(
  { line }: World,
  wanted: K,
): Extract<AgentEvent, { kind: K }>[] {
  return line.requests
    .filter(({ target }) => target === '/agent/v1/events')
    .flatMap(({ body }) => (JSON.parse(body) as { events: AgentEvent[] }).events)
    .filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === wanted)
}

/** Waits until a login is stored in the browser's queue. */
export async function loginIsQueued(world: World, browser: AgentBrowser, email: string): Promise<void> {
  // The e-mail address alone is also in the password history, a moment earlier.
  const member = `"email":${JSON.stringify(email)}`
  await until(`queued login of ${email}`, async () =>
    JSON.stringify(await world.stored(browser)).includes(member),
  )
}
