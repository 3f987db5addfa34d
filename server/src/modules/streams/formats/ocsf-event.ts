import type { WebhookEvent } from '@muster/contract/events/event-objects'
import { version } from '../../../kernel/lib/version.ts'
import { factsOf, type JsonObject } from './event-facts.ts'
import { classify } from './ocsf-classes.ts'
import { ocsfSeverities, ocsfVersion, withoutEmpty } from './ocsf-schema.ts'

/**
 * Maps an event to OCSF 1.4.0. Detections and findings become Detection Findings, actions of controls Web Resources
 * Activity, sign-ins Authentication, and changes Account Change, Group Management or Entity Management. `unmapped` has
 * the members of the original event.
 */
export function ocsfEvent(event: WebhookEvent, organizationId: string): JsonObject {
  const facts = factsOf(event)
  const { of, activity, members, profiles } = classify(event, facts)
  const activityName = of.activities[activity]
  const [severityId, severity] = ocsfSeverities[facts.severity]
  return withoutEmpty({
    activity_id: activity,
    activity_name: activityName,
    category_uid: Math.floor(of.uid / 1000),
    category_name: of.category,
    class_uid: of.uid,
    class_name: of.name,
    type_uid: of.uid * 100 + activity,
    type_name: `${of.name}: ${activity === 99 ? 'Other' : activityName}`,
    severity_id: severityId,
    severity,
    time: event.timestamp * 1000,
    message: event.description,
    metadata: withoutEmpty({
      version: ocsfVersion,
      product: { name: 'Muster', vendor_name: 'Muster', version },
      uid: event.id,
      event_code: event.object,
      log_name: event.category,
      tenant_uid: organizationId,
      profiles: profiles.length === 0 ? undefined : profiles,
    }),
    ...withoutEmpty(members),
    unmapped: withoutEmpty({
      type: 'type' in event ? event.type : undefined,
      actor: 'actor' in event ? event.actor : undefined,
      new: event.new,
      old: 'old' in event ? event.old : undefined,
    }),
  })
}
