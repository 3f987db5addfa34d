import type { AuditEvent } from '@muster/contract/console/console-audit'

type AuditActor = AuditEvent['actor']

/** Who did something, in words; nobody where it came by time. */
export function actorText(actor: AuditActor): string {
  if (actor === null) return 'Muster'
  switch (actor.source) {
    case 'UI':
      if ('role' in actor) return actor.email
      return `${actor.email ?? 'Unknown'} (not signed in)`
    case 'API':
      return `API key “${actor.apiKeyName}” (${actor.apiKeyCreatedBy})`
    case 'EMPLOYEE':
      return `${actor.email} (employee)`
    case 'CLI':
      return `${actor.user} (command line)`
  }
}

/** From where it was done, where that is known. */
export const actorAddress = (actor: AuditActor): string | undefined =>
  actor !== null && 'sourceIpAddress' in actor ? actor.sourceIpAddress : undefined
