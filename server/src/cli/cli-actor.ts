import { userInfo } from 'node:os'
import type { Actor } from '@muster/contract/event-actor'
import { systemClock, unixSeconds } from '../lib/clock.ts'

/** The user of the operating system, by name; one that has none, as in a container, by number. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** What the audit trail is told of an act at the command line: who does it, and when. */
export const toldByCli = (): { actor: Actor; timestamp: number } => ({
  actor: { source: 'CLI', user: userName().slice(0, 256) },
  timestamp: unixSeconds(systemClock),
})
