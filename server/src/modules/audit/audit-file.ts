import type { AuditEvent } from '@muster/contract/console/console-audit'
import { csvLine } from '../lists/csv.rules.ts'
import type { AuditLink } from './audit-list.store.ts'

/** The audit trail as files have it. */

/** A link of the chain as a line of JSON: all that a check of the chain needs. */
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

/** The links as CSV, a line for each. */
export async function* auditCsv(pages: AsyncIterable<readonly AuditLink[]>): AsyncGenerator<string> {
  yield csvLine(head)
  for await (const links of pages) if (links.length > 0) yield links.map(csvOf).join('')
}

function csvOf({ position, hash, event }: AuditLink): string {
  const { timestamp, object, description, actor, new: told, id } = JSON.parse(event) as AuditEvent
  const address = actor && 'sourceIpAddress' in actor ? actor.sourceIpAddress : null
  const values = [position, timestamp, object, description, actor?.source ?? null, nameOf(actor), address]
  return csvLine([...values, JSON.stringify(told), id, hash])
}

/** Who did it, in a word. */
export function nameOf(actor: AuditEvent['actor']): string | null {
  if (!actor) return null
  if (actor.source === 'API') return `${actor.apiKeyName} (${actor.apiKeyCreatedBy})`
  return actor.source === 'CLI' ? actor.user : actor.email
}
