import type { AgentEvent, BatchAnswer, BatchRejection, DormantAnswer } from '@muster/contract/agent-event'
import { browsers } from '@muster/contract/browser'
import { ApiError } from '@muster/contract/errors'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { draftOf, writeDrafts } from '../../kernel/store/drafts.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { readBatch } from '../agents/agent-body.ts'
import type { AgentPrincipal, Connection } from '../agents/agent-principal.ts'
import { isDormant } from '../agents/enroll.rules.ts'
import type { TermsReader } from '../agents/org-terms.ts'
import { policyVersionAt } from '../agents/policy-version.ts'
import { noteDormantCall } from '../browsers/browser-credentials.service.ts'
import { checkEvent } from './event-check.ts'
import { type BatchPeople, lockPeople, project } from './project.ts'
import { heardFrom } from './projection/browser.rules.ts'
import { insertRawEvents, knownEventIds } from './raw-events.service.ts'

/** What the intake needs to know of the deployment. */
export interface IntakeTerms {
  readonly publicUrl: string
  /** For so many days raw events are kept; older ones are refused. */
  readonly rawEventDays: number
}

/** Takes a batch of events of a browser: the body of its request, as it came. */
export type Intake = (
  principal: AgentPrincipal,
  connection: Connection,
  body: Buffer,
) => Promise<BatchAnswer | DormantAnswer>

/** An intake that can be closed, once nothing comes any more. */
export interface IntakeService {
  readonly intake: Intake
  close(): Promise<void>
}

/** What the intake works with. */
export interface IntakeParts extends IntakeTerms {
  readonly db: Db
  readonly clock: Clock
  readonly termsOf: TermsReader
}

const dayMs = 24 * 60 * 60 * 1000

/** To check so many events takes no longer than a millisecond; after more, other requests run before the transaction. */
const heldBriefly = 50

/**
 * The intake of events (domain contract, section 2). One bad event does not stop the others; what is accepted is
 * projected in one transaction and acknowledged behind its commit; a repeated id changes nothing. On PostgreSQL the
 * store repeats a transaction that met another one.
 *
 * @throws (the intake) ApiError unauthenticated when the browser is not there any more, invalid_request when the body
 *   is no batch
 */
export function intakeService(options: IntakeParts): Intake {
  const { db, clock } = options
  return async (principal, connection, body) => {
    const nowMs = clock.nowMs()
    const values = readBatch(body)
    const { accepted, rejected } = checkAll(values, nowMs, options.rawEventDays * dayMs)
    if (values.length > heldBriefly) await new Promise((resolve) => setImmediate(resolve))
    const answer = await db.inTransaction(async (tx): Promise<BatchAnswer | DormantAnswer> => {
      const { org, browserId, employeeId } = principal
      const people = await lockPeople(tx, org, employeeId, browserId)
      if (!people || isDormant(people.employee.record)) return { dormant: true }
      if (!people.browser)
        throw new ApiError('unauthenticated', 'This browser is not enrolled any more; enroll it again.')
      const [terms, news] = await allSettledOrThrow([
        options.termsOf(tx, org),
        withoutKnown(tx, principal, accepted),
      ])
      if (news.length === 0) await noteLife(tx, org, people, nowMs)
      else {
        const batch = {
          org,
          browserId,
          employeeId,
          receivedMs: nowMs,
          address: connection.address,
          userAgent: connection.userAgent,
          events: news,
        }
        const write = await project(tx, batch, people, { terms, publicUrl: options.publicUrl })
        // Taken when all that the batch changes is locked, so that a later batch that changes it too has a higher one.
        const [number = 0] = await tx.takeNumbers(1)
        const kept = news.map((event) => ({ id: event.id, text: JSON.stringify(event) }))
        await allSettledOrThrow([insertRawEvents(tx, { ...batch, number }, kept), write()])
      }
      return {
        accepted: news.length,
        duplicates: accepted.length - news.length,
        rejected,
        policyVersion: policyVersionAt(terms.revision, people.employee.record),
      }
    })
    if ('dormant' in answer) await noteDormantCall(db, principal, Math.floor(nowMs / 1000))
    return answer
  }
}

function checkAll(
  values: readonly unknown[],
  nowMs: number,
  retentionMs: number,
): { accepted: AgentEvent[]; rejected: BatchRejection[] } {
  const accepted: AgentEvent[] = []
  const rejected: BatchRejection[] = []
  values.forEach((value, index) => {
    const checked = checkEvent(value, { nowMs, retentionMs })
    if ('event' in checked) accepted.push(checked.event)
    else rejected.push({ index, ...checked })
  })
  return { accepted, rejected }
}

/** The events that this browser has not reported before, each once. */
async function withoutKnown(
  tx: Tx,
  { org, browserId }: AgentPrincipal,
  events: readonly AgentEvent[],
): Promise<AgentEvent[]> {
  const byId = new Map<string, AgentEvent>()
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event)
  const known = await knownEventIds(tx, org, browserId, [...byId.keys()])
  return [...byId.values()].filter(({ id }) => !known.has(id))
}

/** Also a batch that tells nothing new is a sign of life. */
async function noteLife(tx: Tx, org: number, { browser }: BatchPeople, nowMs: number): Promise<void> {
  if (!browser) return
  const nowSeconds = Math.floor(nowMs / 1000)
  const draft = draftOf(browser)
  draft.record = heardFrom(draft.record, nowSeconds)
  await writeDrafts(tx, browsers, org, [draft], nowSeconds)
}
