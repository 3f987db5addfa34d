import type { AuditEvent } from '@muster/contract/console/console-audit'
import { csvLine } from '../lists/csv.rules.ts'
import type { AuditLink } from './audit-list.store.ts'

/** Formats a link as a line of JSON with everything needed to verify the chain. */
export const auditLine = ({ position, previousHash, hash, event }: AuditLink): string =>
  `{"position":${position},"previousHash":"${previousHash}","hash":"${hash}","event":${event}}\n`

const head = [
  'position',
  'timestamp',
  'object',
  'description',
  'source',
  'actor',
  'sourceIpAddress',
  'new',
  'id',
  'hash',
]

/** Formats links as CSV. */
export async function* auditCsv(pages: AsyncIterable<readonly AuditLink[]>): AsyncGenerator<string> {
  yield csvLine(head)
  for await (const links of pages) if (links.length > 0) yield links.map(csvOf).join('')
}

function csvOf({ position, hash, event }: AuditLink): string {
  const { timestamp, object, description, actor, new: details, id } = JSON.parse(event) as AuditEvent
  const address = actor && 'sourceIpAddress' in actor ? actor.sourceIpAddress : null
  const values = [position, timestamp, object, description, actor?.source ?? null, actorName(actor), address]
  return csvLine([...values, JSON.stringify(details), id, hash])
}

/** Returns the display name of an actor. */
export function actorName(actor: AuditEvent['actor']): string | null {
  if (!actor) return null
  if (actor.source === 'API') return `${actor.apiKeyName} (${actor.apiKeyCreatedBy})`
  return actor.source === 'CLI' ? actor.user : actor.email
}
