import { type AgentEvent, agentEvents } from '@muster/contract/agent-event'
import { matches } from '@muster/contract/matches'
import { eventId } from '../lib/event-id.ts'
import type { ReportableEvent } from '../messages.ts'
import { serverNowMs } from '../server/server-clock.ts'
import { connection } from '../state/connection.ts'
import { addToOutbox } from './outbox-store.ts'

let afterReport = () => {}

/** Says what follows a report: that it is sent soon. Set once, where the background's parts are joined. */
export function whenReported(callback: () => void): void {
  afterReport = callback
}

/**
 * Reports an event: gives it its id and its time by the server's clock, and puts it into the outbox.
 *
 * @returns false if nothing is reported: the browser is not enrolled or dormant, or the event is not what the
 * contract declares. Once it is true the event is on disk.
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
