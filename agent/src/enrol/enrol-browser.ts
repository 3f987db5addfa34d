import type { EnrolmentAnswer, EnrolmentRequest } from '@muster/contract/agent-enrolment'
import { browserFacts } from '../facts/browser-facts.ts'
import type { AgentTrouble } from '../messages.ts'
import { delivery } from '../outbox/deliver.ts'
import { isDormant, untroubled } from '../outbox/delivery.ts'
import { forgetReports } from '../outbox/forget-reports.ts'
import { keepPolicy } from '../policy/policy-store.ts'
import { type AgentResponse, askServer } from '../server/agent-request.ts'
import { type Connection, connection } from '../state/connection.ts'
import type { EnrolmentLink } from './enrolment-decision.ts'
import { managedConfiguration } from './managed-configuration.ts'

export type EnrolmentResult = AgentTrouble | 'CONNECTED' | 'DORMANT'

/**
 * Exchanges a token for this browser's credential (domain contract, section 1). What waited for another server is
 * forgotten: it was not meant for this one. Only a browser that policy enrols anew goes on with what it has.
 */
export async function enrolBrowser(
  { serverUrl, token }: EnrolmentLink,
  source: Connection['source'],
): Promise<EnrolmentResult> {
  const identity = source === 'MANAGED' ? (await managedConfiguration()).identity : undefined
  const body: EnrolmentRequest = {
    token,
    browser: await browserFacts(),
    ...(identity === undefined ? {} : { identity }),
  }
  const answer = await askServer({ serverUrl, path: '/agent/v1/enrol', credential: null, body })
  const enrolled = answer?.status === 200 && isEnrolmentAnswer(answer.body) ? answer.body : null
  if (!enrolled) return failureOf(answer)
  const before = await connection.read()
  if (source === 'LINK' || before?.serverUrl !== serverUrl) await forgetReports()
  await keepPolicy(null)
  await delivery.change(({ refused }) => ({ ...untroubled, refused }))
  await connection.change(() => ({
    serverUrl,
    browserId: enrolled.browserId,
    credential: enrolled.credential,
    source,
    state: 'ENROLLED',
  }))
  return 'CONNECTED'
}

function failureOf(answer: AgentResponse | null): Exclude<EnrolmentResult, 'CONNECTED'> {
  if (!answer) return 'UNREACHABLE'
  if (answer.status === 200) return isDormant(answer.body) ? 'DORMANT' : 'SERVER_ERROR'
  if (answer.status === 404 || answer.status === 409) return 'LINK_USED'
  return answer.status === 429 || answer.status >= 500 ? 'SERVER_ERROR' : 'REFUSED'
}

function isEnrolmentAnswer(body: unknown): body is EnrolmentAnswer {
  const answer = body as Partial<EnrolmentAnswer> | null
  return typeof answer?.browserId === 'string' && /^[\x21-\x7e]{1,512}$/.test(answer.credential ?? '')
}
