import type { EnrollmentAnswer } from '@muster/contract/agent/agent-enrollment'
import type { BrowserFacts } from '@muster/contract/agent/agent-event'
import { type Employee, employees } from '@muster/contract/records/employee'
import { unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { hashToken, newEnrollmentToken } from '../../server/src/kernel/lib/secrets/agent-token.ts'
import { insertEnrollmentToken } from '../../server/src/modules/agents/enrollment-tokens.service.ts'
import { anEmployee, put, unknownId } from './fixtures.ts'
import type { Caller, CallOptions, Harness, HarnessResponse } from './harness.ts'

/** Returns the facts of a browser in an agent's report. */
export const browserFacts = (members: Partial<BrowserFacts> = {}): BrowserFacts => ({
  browser: 'CHROME',
  version: '142.0.7444.60',
  os: 'LINUX',
  extensionVersion: '0.1.0',
  language: 'en-GB',
  profileEmail: null,
  profileSyncEnabled: null,
  ...members,
})

/** Adds an employee who may enroll browsers. */
export async function addLicensed(
  h: Harness,
  caller: Caller,
  members: Partial<Employee> = {},
): Promise<Employee> {
  const employee = anEmployee({ licensed: true, ...members })
  await put(h, caller.org, employees, [employee])
  return employee
}

/**
 * Creates an enrollment link of an employee with `/v1`. @returns its token
 */
export async function linkToken(h: Harness, caller: Caller, employeeId: string): Promise<string> {
  const { body } = await h.call(caller, 'POST', `/v1/employees/${employeeId}/enrollmentLink`)
  return String(body.enrollmentLink).replace('https://muster.test/enroll/', '')
}

/** Sends an enrollment request. */
export const askToEnroll = (
  h: Harness,
  token: string,
  more: { identity?: string; browser?: Partial<BrowserFacts>; still?: boolean } = {},
): Promise<HarnessResponse> => {
  const { browser, still = false, ...members } = more
  return h.call(null, 'POST', '/agent/v1/enrol', {
    body: { token, browser: browserFacts(browser), ...members },
    still,
  })
}

/**
 * Enrolls a browser with a link. @throws Error if it is refused
 */
export async function enrollBrowser(
  h: Harness,
  caller: Caller,
  employeeId: string,
): Promise<EnrollmentAnswer> {
  const answer = await askToEnroll(h, await linkToken(h, caller, employeeId))
  if (answer.status !== 200 || !answer.body.credential) throw new Error(`not enrolled: ${answer.text}`)
  return answer.body
}

/** Creates a token for managed enrollment. */
export async function managedToken(h: Harness, org: number): Promise<{ id: string; token: string }> {
  const token = newEnrollmentToken()
  const id = unknownId()
  const creationTimestamp = unixSeconds(h.clock)
  await h.db.inTransaction((tx) =>
    insertEnrollmentToken(tx, { org, id, name: 'test', hash: hashToken(token), creationTimestamp }),
  )
  return { id, token }
}

/** Sends a request as a browser. */
export const asBrowser = (
  h: Harness,
  credential: string,
  method: string,
  path: string,
  more: CallOptions = {},
): Promise<HarnessResponse> =>
  h.call(null, method, `/agent/v1${path}`, {
    ...more,
    headers: { authorization: `Bearer ${credential}`, ...more.headers },
  })
