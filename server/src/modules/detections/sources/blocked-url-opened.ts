import type { BlockedUrlVisitedEvent } from '@muster/contract/agent-event'
import { noApp, type Sighting } from './sighting.ts'

/** A blocked URL was about to be opened: low, and blocked. What it is about is the pattern. */
export const blockedUrlOpened = (event: BlockedUrlVisitedEvent): Sighting => ({
  detectionType: 'BLOCKED_URL',
  severity: 'LOW',
  response: 'BLOCKED',
  ...noApp,
  url: event.url,
  referrerUrl: event.referrerUrl,
  subject: event.blockedUrlId,
})
