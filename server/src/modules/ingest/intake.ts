import type {
  AgentEvent,
  BatchAnswer,
  BatchRejection,
  DormantAnswer,
} from '@muster/contract/agent/agent-event'
import { ApiError } from '@muster/contract/api/errors'
import { browsers } from '@muster/contract/records/browser'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { draftOf, writeDrafts } from '../../kernel/store/record-drafts.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { readBatch } from '../agents/agent-body.ts'
import type { AgentPrincipal, ClientFacts } from '../agents/agent-principal.ts'
import { isDormant } from '../agents/enroll.rules.ts'
import type { OrgSettingsReader } from '../agents/org-settings.ts'
import { policyVersionAt } from '../agents/policy-version.ts'
import { recordDormantCall } from '../browsers/browser-credentials.service.ts'
import { checkEvent } from './event-check.ts'
import { type BatchSender, lockSender, project } from './project.ts'
import { withLastOnline } from './projection/browser.rules.ts'
import { insertRawEvents, knownEventIds } from './raw-events.service.ts'

/** Settings of the deployment that the intake uses. */
export interface IntakeSettings {
  readonly publicUrl: string
  /** Retention of raw events; older events are rejected. */
  readonly rawEventDays: number
}

/**
 * Accepts a batch of events of a browser.
 *
 * @param body unparsed body of the request
 * @param onLags called with the seconds from each accepted event to its receipt, for metrics
 */
export type Intake = (
  principal: AgentPrincipal,
  client: ClientFacts,
  body: Buffer,
  onLags?: (seconds: readonly number[]) => void,
) => Promise<BatchAnswer | DormantAnswer>

/** Intake that can be closed after the last batch. */
export interface IntakeService {
  readonly intake: Intake
  close(): Promise<void>
}

export interface IntakeDependencies extends IntakeSettings {
  readonly db: Db
  readonly clock: Clock
  readonly settingsOf: OrgSettingsReader
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Number of events that are checked in about a millisecond. Larger batches yield to other requests before the
 * transaction.
 */
const yieldAboveEvents = 50

/**
 * Returns the intake of events (domain contract, section 2). Invalid events are rejected one by one; accepted
 * events are projected in one transaction and acknowledged after its commit; repeated IDs change nothing. On
 * PostgreSQL the store retries transactions that conflict.
 *
 * @throws ApiError unauthenticated (the returned function) if the browser was removed, invalid_request if the
 *   body is not a batch
 */
export function intakeService(options: IntakeDependencies): Intake {
  const { db, clock } = options
  return async (principal, client, body, onLags) => {
    const nowMs = clock.nowMs()
    let lags: readonly number[] = []
    const values = readBatch(body)
    const { accepted, rejected } = checkAll(values, nowMs, options.rawEventDays * dayMs)
    if (values.length > yieldAboveEvents) await new Promise((resolve) => setImmediate(resolve))
    const answer = await db.inTransaction(async (tx): Promise<BatchAnswer | DormantAnswer> => {
      const { org, browserId, employeeId } = principal
      const sender = await lockSender(tx, org, employeeId, browserId)
      if (!sender || isDormant(sender.employee.record)) return { dormant: true }
      if (!sender.browser)
        throw new ApiError('unauthenticated', 'This browser is no longer enrolled. Enroll it again.')
      const [settings, newEvents] = await allSettledOrThrow([
        options.settingsOf(tx, org),
        dropKnownEvents(tx, principal, accepted),
      ])
      lags = newEvents.map(({ timestamp }) => Math.max(0, nowMs / 1000 - timestamp))
      if (newEvents.length === 0) await markOnline(tx, org, sender, nowMs)
      else {
        const batch = {
          org,
          browserId,
          employeeId,
          receivedMs: nowMs,
          address: client.address,
          userAgent: client.userAgent,
          events: newEvents,
        }
        const write = await project(tx, batch, sender, { settings, publicUrl: options.publicUrl })
        // Assign the number after locking: a later batch that changes the same records gets a higher one.
        const [number = 0] = await tx.takeNumbers(1)
        const rawEvents = newEvents.map((event) => ({ id: event.id, text: JSON.stringify(event) }))
        await allSettledOrThrow([insertRawEvents(tx, { ...batch, number }, rawEvents), write()])
      }
      return {
        accepted: newEvents.length,
        duplicates: accepted.length - newEvents.length,
        rejected,
        policyVersion: policyVersionAt(settings.revision, sender.employee.record),
      }
    })
    if ('dormant' in answer) await recordDormantCall(db, principal, Math.floor(nowMs / 1000))
    else onLags?.(lags)
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

/** Returns the events that this browser has not reported before, without duplicates. */
async function dropKnownEvents(
  tx: Tx,
  { org, browserId }: AgentPrincipal,
  events: readonly AgentEvent[],
): Promise<AgentEvent[]> {
  const byId = new Map<string, AgentEvent>()
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event)
  const known = await knownEventIds(tx, org, browserId, [...byId.keys()])
  return [...byId.values()].filter(({ id }) => !known.has(id))
}

/** Marks the browser as online after a batch without new events. */
async function markOnline(tx: Tx, org: number, { browser }: BatchSender, nowMs: number): Promise<void> {
  if (!browser) return
  const nowSeconds = Math.floor(nowMs / 1000)
  const draft = draftOf(browser)
  draft.record = withLastOnline(draft.record, nowSeconds)
  await writeDrafts(tx, browsers, org, [draft], nowSeconds)
}
