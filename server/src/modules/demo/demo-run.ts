import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import type { Config } from '../../kernel/config/config.ts'
import { hashToken, newEnrollmentToken } from '../../kernel/lib/secrets/agent-token.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { insertEnrollmentToken } from '../agents/enrollment-tokens.service.ts'
import { recordChecker } from '../transfer/record-check.ts'
import { storeImported } from '../transfer/store-record.ts'
import { type DemoAdministrators, demoAdministrators, reviewSeconds } from './demo-administrators.ts'
import { type DemoAgent, demoAgent, policySharing, type Scheduled } from './demo-agent.ts'
import { addAlert } from './demo-alerts.ts'
import { addColleagues } from './demo-colleagues.ts'
import { initialControls, laterControls } from './demo-decisions.ts'
import { type DemoPeople, demoPeople } from './demo-people.ts'
import { type DemoService, demoService } from './demo-service.ts'
import { type DemoWork, demoWork } from './demo-work.ts'
import { daySeconds } from './workforce/company.ts'
import { simulatedWorkforce } from './workforce/workforce.ts'
import { opensAt } from './workforce/working-days.ts'

/** Input of a demo: the same plan gives the same records. */
export interface DemoPlan {
  readonly seed: number
  readonly employees: number
  /** Number of simulated days. */
  readonly days: number
  /** End of the simulation; UNIX seconds. */
  readonly nowSeconds: number
}

/** Target of a demo. */
export interface DemoTarget {
  readonly db: Db
  readonly config: Config
  readonly org: number
  /** API key that can write. */
  readonly apiKey: string
  readonly signal: AbortSignal
  /** Called after each day. */
  onDay(): void
}

/**
 * Returns the share of the usual activity in a company. More people would report for hours, and nobody could look at their
 * detections.
 */
const activityOf = (employees: number): number => Math.min(1, Math.max(0.2, 2500 / employees))

/** Times of single actions of the administrators, in percent of the days. */
const laterControlsAt = 30
const mergeAt = 40
/** One in this many employees has a stolen password in each list. */
const stolenOneIn = 12
const stolenAt = [40, 85]

/**
 * Simulates a fictional company over the last months: employees are imported, their browsers enroll and
 * report, and administrators act over the API. All records follow from that.
 */
export async function runDemo(target: DemoTarget, plan: DemoPlan): Promise<void> {
  const { seed, nowSeconds } = plan
  const midnight = Math.floor(nowSeconds / daySeconds) * daySeconds
  const startSeconds = midnight - (plan.days - 1) * daySeconds
  const workforce = simulatedWorkforce({
    seed,
    people: plan.employees,
    catalog: createCatalog(products),
    startSeconds,
    days: plan.days,
    heartbeatMinutes: null,
    visitsPerDay: 2,
    onlyEventful: true,
    rollout: true,
    activity: activityOf(plan.employees),
  })
  const people = demoPeople(workforce.people, seed, startSeconds)
  await importPeople(target, people, startSeconds)
  const service = await demoService(target.db, target.config, seed)
  try {
    service.setTime(startSeconds)
    const colleagues = await addColleagues(target, seed, { startSeconds, nowSeconds })
    const shared = policySharing()
    const work = demoWork(target.db, colleagues, seed)
    const administrators = demoAdministrators(service, { ...target, work }, people.employees, seed)
    const company: Company = {
      service,
      administrators,
      work,
      people,
      agents: workforce.browsers.map((browser) => demoAgent(service, browser, shared)),
      managedEnrollmentToken: await managedEnrollmentToken(target, startSeconds),
      startSeconds,
    }
    for (let day = 0; day < plan.days; day += 1) {
      target.signal.throwIfAborted()
      service.setTime(startSeconds + day * daySeconds)
      await service.passDay()
      if (day === 0) await setUp(company)
      await enrollOn(company, day, plan)
      await workOn(company, day, plan)
      target.onDay()
    }
    await work.onCampaign(nowSeconds)
    await addAlert(target, colleagues, nowSeconds)
  } finally {
    await service.close()
  }
}

interface Company {
  readonly service: DemoService
  readonly administrators: DemoAdministrators
  readonly work: DemoWork
  readonly people: DemoPeople
  readonly agents: readonly DemoAgent[]
  readonly managedEnrollmentToken: string
  readonly startSeconds: number
}

async function importPeople(
  { db, org }: DemoTarget,
  { employees }: DemoPeople,
  timestamp: number,
): Promise<void> {
  const check = recordChecker('employees')
  const records = employees.map((employee) => {
    const result = check(employee)
    if ('record' in result) return result.record
    throw new Error(`employees: ${result.reason}`)
  })
  const by = { ...cliAuditContext(), timestamp }
  const { refused } = await db.inTransaction((tx) => storeImported(tx, org, by, 'employees', records))
  if (refused[0] !== undefined) throw new Error(`employees: ${refused[0].reason}`)
}

async function managedEnrollmentToken({ db, org }: DemoTarget, nowSeconds: number): Promise<string> {
  const token = newEnrollmentToken()
  await db.inTransaction((tx) =>
    insertEnrollmentToken(tx, {
      org,
      id: newId(nowSeconds * 1000),
      name: 'demo, device management',
      hash: hashToken(token),
      creationTimestamp: nowSeconds,
    }),
  )
  return token
}

async function setUp({ administrators, startSeconds }: Company): Promise<void> {
  await administrators.setControls(initialControls, startSeconds)
  await administrators.blockUrls()
}

/** Returns the actions of the administrators on a day. They work on weekdays. */
function administration(
  { administrators, work, people, startSeconds }: Company,
  day: number,
  { days, nowSeconds }: DemoPlan,
): Scheduled[] {
  const at = (hour: number) => startSeconds + day * daySeconds + hour * 3600
  const isAt = (percent: number): boolean => Math.floor((percent * days) / 100) === day
  const weekday = new Date(at(0) * 1000).getUTCDay()
  const stolen = Math.ceil(people.employees.length / stolenOneIn)
  const planned: readonly (readonly [isDue: boolean, hour: number, run: () => Promise<void>])[] = [
    [stolenAt.some(isAt), 8.7, () => administrators.reportStolen(stolen)],
    [isAt(laterControlsAt), 9.2, () => administrators.setControls(laterControls, at(9.2))],
    [
      weekday % 6 !== 0 && at(9.4) + reviewSeconds <= nowSeconds,
      9.4,
      () => administrators.reviewDetections(at(9.4)),
    ],
    [isAt(mergeAt), 13.1, () => administrators.merge(people.duplicates)],
    [weekday === 2, 13.6, () => administrators.reviewApps()],
    [
      weekday === 1 || weekday === 4,
      14.3,
      () => work.onFindings(at(14.3) - findingsSince(weekday), at(14.3)),
    ],
  ]
  return planned.filter(([isDue]) => isDue).map(([, hour, run]) => ({ atSeconds: Math.round(at(hour)), run }))
}

/** Returns the seconds since the work on findings before: on Mondays since Thursday, on Thursdays since Monday. */
const findingsSince = (weekday: number): number => (weekday === 1 ? 4 : 3) * daySeconds

async function enrollOn(company: Company, day: number, plan: DemoPlan): Promise<void> {
  const { service, agents, administrators, managedEnrollmentToken, startSeconds } = company
  const idOf = new Map(company.people.employees.map(({ email, id }) => [email, id]))
  const newAgents = agents
    .filter(({ browser }) => browser.fromDay === day)
    .map(
      (agent): Scheduled => ({
        atSeconds: opensAt(agent.browser, startSeconds, day) - 600,
        sender: agent.browser.person,
        run: async () => {
          const { browser } = agent
          const token =
            browser.tokenType === 'MANAGED'
              ? managedEnrollmentToken
              : await administrators.enrollmentToken(idOf.get(browser.person.email) ?? '')
          await agent.enroll(token, day)
        },
      }),
    )
  await play(service, newAgents, plan)
}

/** Maximum number of reports that are sent at once. The store commits them together. */
const reportsAtOnce = 100

/** Plays the reports of the browsers and the actions of the administrators on a day. */
async function workOn(company: Company, day: number, plan: DemoPlan): Promise<void> {
  const { service, agents } = company
  const scheduled = [
    ...administration(company, day, plan),
    ...agents.flatMap((agent) => agent.reportsOn(day)),
  ]
  await play(service, scheduled, plan)
}

/** Plays what is scheduled until the end of the simulation, in order. */
async function play(
  service: DemoService,
  scheduled: readonly Scheduled[],
  { nowSeconds }: DemoPlan,
): Promise<void> {
  const due = scheduled
    .filter(({ atSeconds }) => atSeconds <= nowSeconds)
    .toSorted((one, other) => one.atSeconds - other.atSeconds)
  for (const group of groupsOf(due)) {
    service.setTime(group.at(-1)?.atSeconds ?? 0)
    await Promise.all(group.map(({ run }) => run()))
  }
}

/**
 * Divides a schedule into groups of reports of different people, because a second enrollment link replaces the first. An
 * action of an administrator is a group of its own.
 */
function groupsOf(scheduled: readonly Scheduled[]): Scheduled[][] {
  const groups: Scheduled[][] = []
  let senders = new Set<object | undefined>()
  for (const one of scheduled) {
    const last = groups.at(-1)
    if (
      !last ||
      one.sender === undefined ||
      senders.has(undefined) ||
      senders.has(one.sender) ||
      last.length >= reportsAtOnce
    ) {
      groups.push([one])
      senders = new Set([one.sender])
    } else {
      last.push(one)
      senders.add(one.sender)
    }
  }
  return groups
}
