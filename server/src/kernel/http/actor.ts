import type { Role } from '@muster/contract/console/console-operation'
import type { Actor, UnprovenActor } from '@muster/contract/event-actor'
import type { Call } from './bind.ts'

/** Where somebody's request came from. */
export interface RequestOrigin {
  readonly address: string
  readonly userAgent: string | null | undefined
}

/** The lengths that the events contract allows. */
const addressLength = 64
const userAgentLength = 8192

const connection = ({ address, userAgent }: RequestOrigin) => ({
  sourceIpAddress: address.slice(0, addressLength),
  userAgent: userAgent?.slice(0, userAgentLength) ?? null,
})

/** Who makes a call of `/v1`: a program by its key, or by the same way an administrator in the console. */
export function callActor({ principal, origin }: Call): Actor {
  const { role, holder, keyName } = principal
  if (role !== null) return uiActor({ email: holder, role }, origin)
  return { source: 'API', apiKeyName: keyName, apiKeyCreatedBy: holder, ...connection(origin) }
}

/** An administrator who is signed in to the console. */
export const uiActor = ({ email, role }: { email: string; role: Role }, origin: RequestOrigin): Actor => ({
  ...{ source: 'UI', email },
  ...connection(origin),
  role,
})

/** Somebody at the sign-in page who has not proven who they are. */
export const unprovenActor = (email: string | null, origin: RequestOrigin): UnprovenActor => ({
  ...{ source: 'UI', email },
  ...connection(origin),
})

/** An employee, in a browser of theirs. */
export const employeeActor = (
  { id, email }: { id: string; email: string },
  origin: RequestOrigin,
): Actor => ({
  ...{ source: 'EMPLOYEE', id, email },
  ...connection(origin),
})
