import { hash } from 'node:crypto'
import type { AgentEvent, ExtensionsEvent, LoginEvent, PageThreatEvent } from '@muster/contract/agent-event'
import type { App } from '@muster/contract/app'
import { asDetectionEmployee, type Detection, detections } from '@muster/contract/detection'
import { type Draft, draftOf, newDraft, writeDrafts } from '../../../kernel/store/record-drafts.ts'
import { getRecordsByValues } from '../../../kernel/store/records.ts'
import { detectionLinkOf } from '../../detections/detection-links.service.ts'
import { blockedUrlOpened } from '../../detections/sources/blocked-url-opened.ts'
import { maliciousExtension } from '../../detections/sources/malicious-extension.ts'
import { isSameAttack, withSighting } from '../../detections/sources/merge-sightings.ts'
import { pageThreat } from '../../detections/sources/page-threat.ts'
import { noApp, type Sighting } from '../../detections/sources/sighting.ts'
import { stolenPasswordUsed } from '../../detections/sources/stolen-password-used.ts'
import { type BatchContext, idFrom, ownerIn } from '../batch-context.ts'
import { hostOfUrl } from '../page-address.ts'
import type { AppPlaces } from './app-places.ts'
import type { LoginAccounts } from './login-accounts.ts'

interface Seen {
  readonly event: AgentEvent
  readonly sighting: Sighting
}

/** Which sightings of a batch have made a detection, rather than being one more sighting of what was known. */
export interface NewSightings {
  has(event: AgentEvent, subject: string): boolean
}

/** What a batch does to detections. */
export interface DetectionProjection {
  readonly added: NewSightings
  /** Writes what has changed. */
  write(): Promise<void>
}

/** Brings what a batch has seen of attacks into detections (domain contract, section 6). */
export async function projectDetections(
  context: BatchContext,
  places: AppPlaces,
  logins: LoginAccounts,
): Promise<DetectionProjection> {
  const { tx, batch, nowSeconds } = context
  const seen = batch.events.flatMap((event) =>
    sightingsIn(context, event, places, logins).map((sighting): Seen => ({ event, sighting })),
  )
  if (seen.length === 0) return { added: { has: () => false }, write: async () => undefined }
  const added: Seen[] = []
  const bySubject = await loadBySubject(
    context,
    seen.map(({ sighting }) => subjectOf(context, sighting)),
  )
  for (const { event, sighting } of seen) {
    const subject = subjectOf(context, sighting)
    const drafts = bySubject.get(subject) ?? []
    bySubject.set(subject, drafts)
    const known = drafts.findLast((draft) =>
      isSameAttack(firstSeenOf(draft), lastSeenOf(draft), event.timestamp),
    )
    if (known) {
      known.record = withSighting(known.record, sighting, nowSeconds)
      const observedSince = Math.min(firstSeenOf(known), event.timestamp)
      const observedActivity = Math.max(lastSeenOf(known), event.timestamp)
      known.internal = { ...known.internal, observedSince, observedActivity }
    } else {
      drafts.push(newDetection(context, event, sighting, subject))
      added.push({ event, sighting })
    }
  }
  return {
    added: {
      has: (event, subject) => added.some((one) => one.event === event && one.sighting.subject === subject),
    },
    write: () => writeDrafts(tx, detections, batch.org, [...bySubject.values()].flat(), nowSeconds),
  }
}

function sightingsIn(
  context: BatchContext,
  event: AgentEvent,
  places: AppPlaces,
  logins: LoginAccounts,
): Sighting[] {
  switch (event.kind) {
    case 'BLOCKED_URL_VISITED':
      return [blockedUrlOpened(event)]
    case 'PAGE_THREAT':
      return [pageThreat(event, appOf(event, places), hostOfUrl(event.url) ?? event.url)]
    case 'LOGIN':
      return (event.password?.stolenIds?.length ?? 0) > 0 ? stolenUse(event, places, logins) : []
    case 'EXTENSION_THREAT': {
      const listed = riskOf(context, event.extensionId)
      return [maliciousExtension(event.extensionId, listed ?? event.risk, !event.disabled)]
    }
    case 'EXTENSIONS':
      return badExtensions(context, event)
    default:
      return []
  }
}

/** The app that a page was after: of the catalog, whether or not the organization has it. */
function appOf({ appType }: PageThreatEvent, places: AppPlaces): Pick<Detection, 'appId' | 'appType'> {
  return { appType, appId: places.byType(appType)?.id ?? null }
}

function stolenUse(login: LoginEvent, places: AppPlaces, logins: LoginAccounts): Sighting[] {
  const found = logins.logins.find((item) => item.login === login)
  const place = places.of(login)
  if (found === undefined || place === undefined) return []
  const accountId = 'account' in found ? found.account.id : found.other.id
  const app: App | undefined = 'app' in place ? place.app : undefined
  const shown = app ? { appId: app.id, appType: app.type } : noApp
  return [stolenPasswordUsed(login.loginUrl, accountId, shown, app?.sensitivityLevel ?? null)]
}

const riskOf = ({ terms }: BatchContext, extensionId: string) =>
  terms.controls.badExtensions.find((bad) => bad.extensionId === extensionId)?.risk

function badExtensions({ terms }: BatchContext, event: ExtensionsEvent): Sighting[] {
  const { badExtensions: bad } = terms.controls
  if (bad.length === 0) return []
  const risks = new Map(bad.map(({ extensionId, risk }) => [extensionId, risk]))
  return event.extensions.flatMap(({ extensionId, enabled }) => {
    const risk = risks.get(extensionId)
    return risk === undefined ? [] : [maliciousExtension(extensionId, risk, enabled)]
  })
}

/** What stands for employee, browser, type and subject: short, however long an address is. */
const subjectOf = ({ batch }: BatchContext, { detectionType, subject }: Sighting): string =>
  hash('sha256', JSON.stringify([batch.employeeId, batch.browserId, detectionType, subject]), 'base64url')

async function loadBySubject(
  { tx, batch }: BatchContext,
  subjects: readonly string[],
): Promise<Map<string, Draft<Detection>[]>> {
  const wanted = [...new Set(subjects)].sort()
  const stored = await getRecordsByValues(tx, detections, batch.org, 'subject', wanted)
  const drafts = stored.toSorted((one, other) => one.seq - other.seq).map(draftOf)
  return Map.groupBy(drafts, ({ internal }) => String(internal.subject))
}

const lastSeenOf = ({ record, internal }: Draft<Detection>): number =>
  Number(internal.observedActivity ?? record.lastActivityTimestamp)

/** Of those that were made before this was kept, it is not known: not before they were reported, or last seen. */
const firstSeenOf = (draft: Draft<Detection>): number =>
  Number(draft.internal.observedSince ?? Math.min(draft.record.creationTimestamp, lastSeenOf(draft)))

function newDetection(
  context: BatchContext,
  event: AgentEvent,
  sighting: Sighting,
  subject: string,
): Draft<Detection> {
  const { batch, browser, shown, nowSeconds, publicUrl } = context
  const { detectionType, severity, response, appId, appType, url, referrerUrl } = sighting
  const id = idFrom(context, event, 'detection', `${detectionType} ${sighting.subject}`)
  const record: Detection = {
    id,
    employeeId: shown.id,
    employee: asDetectionEmployee(shown),
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
    ...context.replayed?.detection(id),
  }
  const observed = { observedSince: event.timestamp, observedActivity: event.timestamp }
  return newDraft(id, record, { owner: ownerIn(context), subject, ...observed })
}
