import type { EnrollmentAnswer } from '@muster/contract/agent/agent-enrollment'
import { type AgentEvent, type BatchAnswer, eventsPerBatchMaximum } from '@muster/contract/agent/agent-event'
import type { AgentPolicy } from '@muster/contract/agent/agent-policy'
import type { DemoService } from './demo-service.ts'
import type { BrowserDays } from './workforce/browser-days.ts'
import type { SimulatedBrowser } from './workforce/simulated-browsers.ts'
import type { SimulatedPerson } from './workforce/simulated-people.ts'
import { inBatches } from './workforce/workforce.ts'

/** Something that happens at a point in time. */
export interface Scheduled {
  /** UNIX seconds. */
  readonly atSeconds: number
  /** Person whose browser reports; undefined for an action of an administrator. */
  readonly sender?: SimulatedPerson
  run(): Promise<void>
}

/** Simulated browser with its agent. */
export interface DemoAgent {
  readonly browser: SimulatedBrowser & BrowserDays
  /** Exchanges a token for a credential and fetches the policy. */
  enroll(token: string, day: number): Promise<void>
  /** Returns the reports of a day. */
  reportsOn(day: number): Scheduled[]
}

/**
 * The agent sends its events after this time without a new one. Longer than in a real agent, to keep the
 * number of requests low.
 */
const quietSeconds = 1800
const sendsAfterSeconds = 25

/** Returns a policy whose large parts are shared with those of other people. */
export type SharePolicy = (policy: AgentPolicy, person: SimulatedPerson) => AgentPolicy

const sharedMaximum = 200

/** Keeps the banners once for each revision and each combination of groups, which decide about them. */
export function policySharing(): SharePolicy {
  const banners = new Map<string, AgentPolicy['banners']>()
  return (policy, { groups }) => {
    const key = JSON.stringify([policy.version.split('-')[0], groups])
    const known = banners.get(key)
    if (known) return { ...policy, banners: known }
    if (banners.size >= sharedMaximum) banners.clear()
    banners.set(key, policy.banners)
    return policy
  }
}

/** Creates the agent of a simulated browser. It sends the same requests as a real agent. */
export function demoAgent(
  service: DemoService,
  browser: SimulatedBrowser & BrowserDays,
  shared: SharePolicy,
): DemoAgent {
  let credential = ''
  let policy: AgentPolicy | undefined

  const headersOn = (day: number) => ({
    authorization: `Bearer ${credential}`,
    'user-agent': browser.userAgentOn(day),
  })

  const fetchPolicy = async (day: number): Promise<void> => {
    const { body } = await service.send({
      method: 'GET',
      path: '/agent/v1/policy',
      address: browser.address,
      headers: headersOn(day),
    })
    policy = shared(body as AgentPolicy, browser.person)
  }

  const send = async (events: readonly AgentEvent[], day: number): Promise<void> => {
    const { body } = await service.send({
      method: 'POST',
      path: '/agent/v1/events',
      address: browser.address,
      headers: headersOn(day),
      body: { events },
    })
    const answer = body as BatchAnswer
    if (answer.rejected?.length !== 0)
      throw new Error(`events were rejected: ${JSON.stringify(body).slice(0, 500)}`)
    if (answer.policyVersion !== policy?.version) await fetchPolicy(day)
  }

  return {
    browser,
    async enroll(token, day) {
      const { email } = browser.person
      const facts = browser.factsOn(day)
      const { body } = await service.send({
        method: 'POST',
        path: '/agent/v1/enrol',
        address: browser.address,
        headers: { 'user-agent': browser.userAgentOn(day) },
        body: { token, browser: facts, ...(facts.profileEmail === null ? { identity: email } : {}) },
      })
      credential = (body as EnrollmentAnswer).credential
      await fetchPolicy(day)
    },
    reportsOn(day) {
      if (policy === undefined) return []
      return inBatches(browser.eventsOn(day, policy), quietSeconds, eventsPerBatchMaximum).map((events) => ({
        atSeconds: (events.at(-1)?.timestamp ?? 0) + sendsAfterSeconds,
        sender: browser.person,
        run: () => send(events, day),
      }))
    },
  }
}
