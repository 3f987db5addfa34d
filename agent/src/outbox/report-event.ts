import { type AgentEvent, agentEvents } from '@muster/contract/agent/agent-event'
import { matches } from '@muster/contract/api/matches'
import { eventId } from '../lib/event-id.ts'
import type { ReportableEvent } from '../messages.ts'
import { serverNowMs } from '../server/server-clock.ts'
import { connection } from '../state/connection.ts'
import { addToOutbox } from './outbox-store.ts'

let afterReport = () => {}

/** Sets the callback that runs after a report and schedules its delivery. Set once at startup. */
export function onReported(callback: () => void): void {
  afterReport = callback
}

/**
 * Reports an event: adds its ID and its time by the server's clock, and puts it into the outbox.
 *
 * @returns false if nothing is reported because the browser is not enrolled or dormant, or the event violates the
 * contract; true once the event is on disk
 */
export async function report(event: ReportableEvent): Promise<boolean> {
  if ((await connection.read())?.state !== 'ENROLLED') return false
  const nowMs = await serverNowMs()
  const complete = { ...event, id: eventId(nowMs), timestamp: Math.floor(nowMs / 1000) }
  if (!matches(agentEvents[event.kind], complete)) return false
  await addToOutbox(complete as AgentEvent)
  afterReport()
  return true
}
