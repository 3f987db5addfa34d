import type { Role } from '@muster/contract/console/console-operation'
import type { Actor, UnprovenActor } from '@muster/contract/events/event-actor'
import type { Call } from './bind.ts'

/** Origin of a request. */
export interface ClientFacts {
  readonly address: string
  readonly userAgent: string | null | undefined
}

/** Maximum lengths in the events contract. */
const addressLength = 64
const userAgentLength = 8192

const connectionFacts = ({ address, userAgent }: ClientFacts) => ({
  sourceIpAddress: address.slice(0, addressLength),
  userAgent: userAgent?.slice(0, userAgentLength) ?? null,
})

/** Returns the actor of a `/v1` call: an API key, or an administrator in the console. */
export function callActor({ principal, origin }: Call): Actor {
  const { role, holder, keyName } = principal
  if (role !== null) return uiActor({ email: holder, role }, origin)
  return { source: 'API', apiKeyName: keyName, apiKeyCreatedBy: holder, ...connectionFacts(origin) }
}

/** Returns the actor for a signed-in administrator. */
export const uiActor = ({ email, role }: { email: string; role: Role }, origin: ClientFacts): Actor => ({
  source: 'UI',
  email,
  ...connectionFacts(origin),
  role,
})

/** Returns the actor for an unauthenticated person on the sign-in page. */
export const unprovenActor = (email: string | null, origin: ClientFacts): UnprovenActor => ({
  source: 'UI',
  email,
  ...connectionFacts(origin),
})

/** Returns the actor for an employee in an enrolled browser. */
export const employeeActor = ({ id, email }: { id: string; email: string }, origin: ClientFacts): Actor => ({
  source: 'EMPLOYEE',
  id,
  email,
  ...connectionFacts(origin),
})
