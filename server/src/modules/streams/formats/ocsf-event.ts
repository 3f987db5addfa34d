import type { WebhookEvent } from '@muster/contract/event-objects'
import { version } from '../../../kernel/lib/version.ts'
import { type Facts, factsOf } from './event-facts.ts'
import { classify } from './ocsf-classes.ts'
import { given, ocsfSeverities, ocsfVersion } from './ocsf-terms.ts'

/**
 * An event as OCSF 1.4.0 has it: detections and findings are Detection Findings, what controls did is Web Resources
 * Activity, sign-ins are Authentication, and changes are Account Change, Group Management or Entity Management. What the
 * class has no member for is whole in `unmapped`, under the names of our own contract.
 *
 * @param organizationId the organization that the event belongs to
 */
export function ocsfEvent(event: WebhookEvent, organizationId: string): Facts {
  const facts = factsOf(event)
  const { of, activity, members, profiles } = classify(event, facts)
  const activityName = of.activities[activity]
  const [severityId, severity] = ocsfSeverities[facts.severity]
  return given({
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
    metadata: given({
      version: ocsfVersion,
      product: { name: 'Muster', vendor_name: 'Muster', version },
      uid: event.id,
      event_code: event.object,
      log_name: event.category,
      tenant_uid: organizationId,
      profiles: profiles.length === 0 ? undefined : profiles,
    }),
    ...given(members),
    unmapped: given({
      type: 'type' in event ? event.type : undefined,
      actor: 'actor' in event ? event.actor : undefined,
      new: event.new,
      old: 'old' in event ? event.old : undefined,
    }),
  })
}
