import { isDormant } from '../outbox/delivery.ts'
import { askServer } from '../server/agent-request.ts'
import { isProblem } from '../server/problem-code.ts'
import { type Connection, connection } from '../state/connection.ts'
import { readPolicy } from './policy-shape.ts'
import { storedPolicy, storePolicy } from './policy-store.ts'

/** Result of a policy request. */
export type PolicyFetch = 'CHANGED' | 'UNCHANGED' | 'DORMANT' | 'UNAUTHENTICATED' | 'FAILED'

/** Fetches the policy of the connected browser and stores it if it changed. */
export async function fetchPolicy(current: Connection): Promise<PolicyFetch> {
  if (current.state === 'REVOKED') return 'FAILED'
  const known = current.state === 'ENROLLED' ? await storedPolicy() : null
  const answer = await askServer({
    serverUrl: current.serverUrl,
    path: '/agent/v1/policy',
    credential: current.credential,
    etag: known ? `"${known.version}"` : undefined,
  })
  // A response for a replaced connection does not apply to the new one.
  if ((await connection.read())?.browserId !== current.browserId) return 'FAILED'
  if (answer?.status === 304) return 'UNCHANGED'
  if (answer && isProblem(answer, 401, 'unauthenticated')) return 'UNAUTHENTICATED'
  if (answer?.status !== 200) return 'FAILED'
  if (isDormant(answer.body)) return 'DORMANT'
  const policy = readPolicy(answer.body)
  if (!policy) return 'FAILED'
  await storePolicy(policy)
  return 'CHANGED'
}
