import type { Actor } from '@muster/contract/event-actor'
import { actorWords, auditHash } from '../../kernel/events/audit-trail.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { type AuditLink, auditHead, walkAudit } from './audit-list.store.ts'

/** What a walk over a chain has found. */
export interface ChainVerdict {
  /** How many links are sound, from the first on. */
  readonly events: number
  /** The hash of the last link that is sound; who keeps it elsewhere can tell whether a chain was made anew. */
  readonly hash: string
  /** The first link that is not; undefined if all are. */
  readonly broken?: BrokenLink
}

/** Where a chain is broken, and by what. */
export interface BrokenLink {
  readonly position: number
  /** The id of the event there; null if it is missing. */
  readonly id: string | null
  readonly reason: string
}

/**
 * Walks the chain of an organization, in bounded memory, while others may add to it, and finds the first link that is not
 * as it was written: a text that was changed, a link that is missing or in another's place, an end that was cut off.
 *
 * @param onLinks told how many links were looked at
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
      const reason = faultOf(link, position + 1, hash)
      if (reason !== undefined) return found(brokenAt(link, position + 1, reason))
      if (headBefore?.position === link.position && headBefore.hash !== link.hash)
        return found(brokenAt(link, link.position, 'it is not the one that the head of the chain names'))
      position = link.position
      hash = link.hash
    }
    onLinks(links.length)
  }
  const head = await auditHead(reader, org)
  if (position < (headBefore?.position ?? 0)) {
    const reason = `it is missing: the head of the chain is at ${headBefore?.position}`
    return found({ position: position + 1, id: null, reason })
  }
  if (position > (head?.position ?? 0)) {
    const reason = `the head of the chain is behind it, at ${head?.position ?? 0}`
    return found({ position, id: null, reason })
  }
  return { events: position, hash }
}

const brokenAt = ({ position, id }: AuditLink, expected: number, reason: string): BrokenLink =>
  position > expected ? { position: expected, id: null, reason } : { position, id, reason }

/** What is wrong with a link; undefined if nothing is. */
function faultOf(link: AuditLink, position: number, previousHash: string): string | undefined {
  if (link.position > position) return `it is missing: the next one that is there is ${link.position}`
  if (link.position < position) return 'no chain begins so early'
  if (link.previousHash !== previousHash) return 'it does not follow from the one before'
  if (link.hash !== auditHash(previousHash, link.event)) return 'its text is not the one that was hashed'
  return isWhatItSays(link) ? undefined : 'what it is found by is not what it says'
}

/** Whether the columns that lists look at are those of the event. */
function isWhatItSays({ id, timestamp, object, actor, event }: AuditLink): boolean {
  const told = JSON.parse(event) as { id: string; timestamp: number; object: string; actor: Actor | null }
  return (
    told.id === id &&
    told.timestamp === timestamp &&
    told.object === object &&
    actorWords(told.actor) === actor
  )
}
