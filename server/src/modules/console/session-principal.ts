import type { Principal } from '../../kernel/http/principal.ts'
import type { FoundSession } from './console-sessions.ts'

/** Who is signed in, as the actions of `/v1` know callers. */
export function sessionPrincipal({ administrator }: FoundSession): Principal {
  return {
    org: administrator.org,
    holder: administrator.email,
    keyId: administrator.id,
    keyName: 'console',
    role: administrator.role,
    mayWrite: administrator.role !== 'READ_ONLY',
    expiryTimestamp: null,
    user: `console ${administrator.org} ${administrator.email.toLowerCase()}`,
  }
}
