import type { AuditEvent } from '@muster/contract/console/console-audit'

type AuditActor = AuditEvent['actor']

/** Who did something, in words; nobody where it came by time. */
export function actorText(actor: AuditActor): string {
  if (actor === null) return 'Muster itself'
  switch (actor.source) {
    case 'UI':
      if ('role' in actor) return actor.email
      return `${actor.email ?? 'Somebody'}, not signed in`
    case 'API':
      return `Key “${actor.apiKeyName}” of ${actor.apiKeyCreatedBy}`
    case 'EMPLOYEE':
      return `${actor.email}, an employee`
    case 'CLI':
      return `${actor.user}, at the command line`
  }
}

/** From where it was done, where that is known. */
export const actorAddress = (actor: AuditActor): string | undefined =>
  actor !== null && 'sourceIpAddress' in actor ? actor.sourceIpAddress : undefined
