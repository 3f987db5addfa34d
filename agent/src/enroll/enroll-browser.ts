import type { EnrollmentAnswer, EnrollmentRequest } from '@muster/contract/agent/agent-enrollment'
import { browserFacts } from '../facts/browser-facts.ts'
import type { AgentTrouble } from '../messages.ts'
import { delivery } from '../outbox/deliver.ts'
import { initialDelivery, isDormant } from '../outbox/delivery.ts'
import { forgetReports } from '../outbox/forget-reports.ts'
import { storePolicy } from '../policy/policy-store.ts'
import { type AgentResponse, askServer } from '../server/agent-request.ts'
import { type Connection, connection } from '../state/connection.ts'
import type { EnrollmentLink } from './enrollment-decision.ts'
import { managedConfiguration } from './managed-configuration.ts'

export type EnrollmentResult = AgentTrouble | 'CONNECTED' | 'DORMANT'

/**
 * Exchanges a token for this browser's credential (domain contract, section 1). Events queued for another server are
 * discarded. Only a browser that managed policy enrolls again keeps its queue.
 */
export async function enrollBrowser(
  { serverUrl, token }: EnrollmentLink,
  source: Connection['source'],
): Promise<EnrollmentResult> {
  const identity = source === 'MANAGED' ? (await managedConfiguration()).identity : undefined
  const body: EnrollmentRequest = {
    token,
    browser: await browserFacts(),
    ...(identity === undefined ? {} : { identity }),
  }
  const answer = await askServer({ serverUrl, path: '/agent/v1/enrol', credential: null, body })
  const enrolled = answer?.status === 200 && isEnrollmentAnswer(answer.body) ? answer.body : null
  if (!enrolled) return failureOf(answer)
  const before = await connection.read()
  if (source === 'LINK' || before?.serverUrl !== serverUrl) await forgetReports()
  await storePolicy(null)
  await delivery.change(({ refused }) => ({ ...initialDelivery, refused }))
  await connection.change(() => ({
    serverUrl,
    browserId: enrolled.browserId,
    credential: enrolled.credential,
    source,
    state: 'ENROLLED',
  }))
  return 'CONNECTED'
}

function failureOf(answer: AgentResponse | null): Exclude<EnrollmentResult, 'CONNECTED'> {
  if (!answer) return 'UNREACHABLE'
  if (answer.status === 200) return isDormant(answer.body) ? 'DORMANT' : 'SERVER_ERROR'
  if (answer.status === 404 || answer.status === 409) return 'LINK_USED'
  return answer.status === 429 || answer.status >= 500 ? 'SERVER_ERROR' : 'REFUSED'
}

function isEnrollmentAnswer(body: unknown): body is EnrollmentAnswer {
  const answer = body as Partial<EnrollmentAnswer> | null
  return typeof answer?.browserId === 'string' && /^[\x21-\x7e]{1,512}$/.test(answer.credential ?? '')
}
