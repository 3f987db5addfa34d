import { hash } from 'node:crypto'
import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { asDetectionEmployee, type Detection, detections } from '@muster/contract/records/detection'
import { type Draft, draftOf, newDraft, writeDrafts } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues } from '../../../kernel/store/records.ts'
import { detectionLinkOf } from '../../detections/detection-links.service.ts'
import type { DetectionLookups, DetectionSignal } from '../../detections/sources/detection-source.ts'
import { signalsIn } from '../../detections/sources/detection-sources.ts'
import { isSameAttack, mergeSignal } from '../../detections/sources/merge-signal.ts'
import { type BatchContext, derivedIdFor, ownerIn } from '../batch-context.ts'
import type { AppPlaces } from './app-places.ts'
import type { LoginAccounts } from './login-accounts.ts'

interface SeenSignal {
  readonly event: AgentEvent
  readonly signal: DetectionSignal
}

/** Signals of a batch that created a detection, as opposed to those merged into a known one. */
export interface NewDetections {
  has(event: AgentEvent, subject: string): boolean
}

/** Changes that a batch makes to detections. */
export interface DetectionProjection {
  readonly added: NewDetections
  write(): Promise<void>
}

/** Projects the attacks in a batch to detections (domain contract, section 6). */
export async function projectDetections(
  context: BatchContext,
  places: AppPlaces,
  logins: LoginAccounts,
): Promise<DetectionProjection> {
  const { tx, batch, nowSeconds } = context
  const lookups = lookupsOf(context, places, logins)
  const seen = batch.events.flatMap((event) =>
    signalsIn(event, lookups).map((signal): SeenSignal => ({ event, signal })),
  )
  if (seen.length === 0) return { added: { has: () => false }, write: async () => undefined }
  const added: SeenSignal[] = []
  const bySubject = await loadBySubject(
    context,
    seen.map(({ signal }) => subjectKey(context, signal)),
  )
  for (const { event, signal } of seen) {
    const key = subjectKey(context, signal)
    const drafts = bySubject.get(key) ?? []
    bySubject.set(key, drafts)
    const known = drafts.findLast((draft) =>
      isSameAttack(firstSeenOf(draft), lastSeenOf(draft), event.timestamp),
    )
    if (known) {
      known.record = mergeSignal(known.record, signal, nowSeconds)
      const observedSince = Math.min(firstSeenOf(known), event.timestamp)
      const observedActivity = Math.max(lastSeenOf(known), event.timestamp)
      known.internal = { ...known.internal, observedSince, observedActivity }
    } else {
      drafts.push(newDetection(context, event, signal, key))
      added.push({ event, signal })
    }
  }
  return {
    added: {
      has: (event, subject) => added.some((one) => one.event === event && one.signal.subject === subject),
    },
    write: () => writeDrafts(tx, detections, batch.org, [...bySubject.values()].flat(), nowSeconds),
  }
}

function lookupsOf(
  { settings }: BatchContext,
  places: AppPlaces,
  { logins }: LoginAccounts,
): DetectionLookups {
  const { badExtensions } = settings.controls
  const risks = new Map(badExtensions.map(({ extensionId, risk }) => [extensionId, risk]))
  return {
    riskOf: (extensionId) => risks.get(extensionId),
    appIdOf: (appType) => places.byType(appType)?.id ?? null,
    accountOf: (login) => {
      const found = logins.find((item) => item.login === login)
      const place = places.of(login)
      if (found === undefined || place === undefined) return undefined
      const accountId = 'account' in found ? found.account.id : found.other.id
      return { accountId, app: 'app' in place ? place.app : undefined }
    },
  }
}

/** Returns a key of employee, browser, type and subject. Hashed, because subjects can be long. */
const subjectKey = ({ batch }: BatchContext, { detectionType, subject }: DetectionSignal): string =>
  hash('sha256', JSON.stringify([batch.employeeId, batch.browserId, detectionType, subject]), 'base64url')

async function loadBySubject(
  { tx, batch }: BatchContext,
  keys: readonly string[],
): Promise<Map<string, Draft<Detection>[]>> {
  const uniqueKeys = [...new Set(keys)].sort()
  const stored = await getRecordsByValues(tx, detections, batch.org, 'subject', uniqueKeys)
  const drafts = stored.toSorted((one, other) => one.seq - other.seq).map(draftOf)
  return Map.groupBy(drafts, ({ internal }) => String(internal.subject))
}

const lastSeenOf = ({ record, internal }: Draft<Detection>): number =>
  Number(internal.observedActivity ?? record.lastActivityTimestamp)

/** Falls back to the time of report for detections from before `observedSince` was stored. */
const firstSeenOf = (draft: Draft<Detection>): number =>
  Number(draft.internal.observedSince ?? Math.min(draft.record.creationTimestamp, lastSeenOf(draft)))

function newDetection(
  context: BatchContext,
  event: AgentEvent,
  signal: DetectionSignal,
  subject: string,
): Draft<Detection> {
  const { batch, browser, primary, nowSeconds, publicUrl } = context
  const { detectionType, severity, response, appId, appType, url, referrerUrl } = signal
  const id = derivedIdFor(context, event, 'detection', `${detectionType} ${signal.subject}`)
  const record: Detection = {
    id,
    employeeId: primary.id,
    employee: asDetectionEmployee(primary),
    browserId: browser?.id ?? null,
    severity,
    detectionType,
    response,
    classification: 'NOT_CLASSIFIED',
    archived: false,
    appId,
    appType,
    url,
    referrerUrl,
    sourceIpAddress: batch.address,
    userAgent: batch.userAgent,
    detectionLink: detectionLinkOf(publicUrl, id),
    creationTimestamp: nowSeconds,
    lastActivityTimestamp: nowSeconds,
    ...context.replayedDecisions?.detection(id),
  }
  return newDraft(id, record, {
    owner: ownerIn(context),
    subject,
    observedSince: event.timestamp,
    observedActivity: event.timestamp,
  })
}
