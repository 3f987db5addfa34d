import type { Principal } from '../../kernel/http/principal.ts'
import type { FoundSession } from './console-sessions.ts'

/** Returns the signed-in administrator as a principal of `/v1`. */
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
