import type { AuditEvent } from '@muster/contract/console/console-audit'

type AuditActor = AuditEvent['actor']

/** Returns a readable actor. Null stands for Muster itself, for example scheduled jobs. */
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

/** Returns the IP address of an actor, if known. */
export const actorAddress = (actor: AuditActor): string | undefined =>
  actor !== null && 'sourceIpAddress' in actor ? actor.sourceIpAddress : undefined
