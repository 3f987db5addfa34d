import type { Actor } from '@muster/contract/events/event-actor'
import { actorWords, auditHash } from '../../kernel/events/audit-trail.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { type AuditLink, auditHead, walkAudit } from './audit-list.store.ts'

/** Result of the verification of a chain. */
export interface ChainVerdict {
  /** Number of valid links from the start. */
  readonly events: number
  /** Hash of the last valid link. Compare it with a copy kept elsewhere to detect a rewritten chain. */
  readonly hash: string
  /** First invalid link; undefined if the chain is intact. */
  readonly broken?: BrokenLink
}

interface BrokenLink {
  readonly position: number
  /** ID of the event; null if it is missing. */
  readonly id: string | null
  readonly reason: string
}

/**
 * Verifies the chain of an organization and finds the first link that was modified, removed or moved, or a truncated end.
 * Uses bounded memory. Events may be added at the same time.
 *
 * @param onLinks called with the number of links after each batch
 */
export async function verifyChain(
  reader: Reader,
  org: number,
  onLinks: (count: number) => void = () => {},
): Promise<ChainVerdict> {
  const headBefore = await auditHead(reader, org)
  let position = 0
  let hash = ''
  const found = (broken: BrokenLink): ChainVerdict => ({ events: position, hash, broken })
  for await (const links of walkAudit(reader, org)) {
    for (const link of links) {
      const reason = findFault(link, position + 1, hash)
      if (reason !== undefined) return found(brokenAt(link, position + 1, reason))
      if (headBefore?.position === link.position && headBefore.hash !== link.hash)
        return found(brokenAt(link, link.position, 'its hash differs from the head of the chain'))
      position = link.position
      hash = link.hash
    }
    onLinks(links.length)
  }
  const head = await auditHead(reader, org)
  if (position < (headBefore?.position ?? 0)) {
    const reason = `the event is missing; the head of the chain is at ${headBefore?.position}`
    return found({ position: position + 1, id: null, reason })
  }
  if (position > (head?.position ?? 0)) {
    const reason = `the head of the chain is behind, at ${head?.position ?? 0}`
    return found({ position, id: null, reason })
  }
  return { events: position, hash }
}

const brokenAt = ({ position, id }: AuditLink, expected: number, reason: string): BrokenLink =>
  position > expected ? { position: expected, id: null, reason } : { position, id, reason }

/** Returns the fault of a link; undefined if it is valid. */
function findFault(link: AuditLink, position: number, previousHash: string): string | undefined {
  if (link.position > position) return `the event is missing; the next one is ${link.position}`
  if (link.position < position) return 'its position is before the start of the chain'
  if (link.previousHash !== previousHash) return 'its previous hash is not that of the event before it'
  if (link.hash !== auditHash(previousHash, link.event)) return 'its text does not match its hash'
  return columnsMatchEvent(link) ? undefined : 'its columns do not match its text'
}

/** True if the columns used for filtering match the event. */
function columnsMatchEvent({ id, timestamp, object, actor, event }: AuditLink): boolean {
  const parsed = JSON.parse(event) as { id: string; timestamp: number; object: string; actor: Actor | null }
  return (
    parsed.id === id &&
    parsed.timestamp === timestamp &&
    parsed.object === object &&
    actorWords(parsed.actor) === actor
  )
}
