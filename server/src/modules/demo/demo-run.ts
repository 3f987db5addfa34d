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
import { type DemoAdministrators, demoAdministrators } from './demo-administrators.ts'
import { type DemoAgent, demoAgent } from './demo-agent.ts'
import { initialControls, laterControls } from './demo-decisions.ts'
import { type DemoPeople, demoPeople } from './demo-people.ts'
import { type DemoService, demoService } from './demo-service.ts'
import { demoWork } from './demo-work.ts'
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

/** Times of the administrators' actions, in percent of the days. */
const laterControlsAt = 30
const reviewsAt = [9, 24, 45, 66, 87, 97]
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
  })
  const people = demoPeople(workforce.people, seed, startSeconds)
  await importPeople(target, people, startSeconds)
  const service = await demoService(target.db, target.config, seed)
  try {
    service.setTime(startSeconds)
    const administrators = demoAdministrators(service, target, people.employees, seed)
    const company: Company = {
      service,
      administrators,
      people,
      agents: workforce.browsers.map((browser) => demoAgent(service, browser)),
      managedEnrollmentToken: await managedEnrollmentToken(target, startSeconds),
      startSeconds,
    }
    for (let day = 0; day < plan.days; day += 1) {
      target.signal.throwIfAborted()
      service.setTime(startSeconds + day * daySeconds)
      await service.passDay()
      await administrateOn(company, day, plan.days)
      await enrollOn(company, day)
      await reportOn(company, day, nowSeconds)
      target.onDay()
    }
    await demoWork(target, seed, nowSeconds)
  } finally {
    await service.close()
  }
}

interface Company {
  readonly service: DemoService
  readonly administrators: DemoAdministrators
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

async function administrateOn(
  { administrators, people, startSeconds }: Company,
  day: number,
  days: number,
): Promise<void> {
  const nowSeconds = startSeconds + day * daySeconds
  const isAt = (percent: number): boolean => Math.floor((percent * days) / 100) === day
  if (day === 0) {
    await administrators.setControls(initialControls, nowSeconds)
    await administrators.blockUrls()
  }
  if (stolenAt.some(isAt)) await administrators.reportStolen(Math.ceil(people.employees.length / stolenOneIn))
  if (isAt(laterControlsAt)) await administrators.setControls(laterControls, nowSeconds)
  if (isAt(mergeAt)) await administrators.merge(people.duplicates)
  if (reviewsAt.some(isAt)) {
    await administrators.reviewApps()
    await administrators.reviewDetections(nowSeconds)
  }
}

async function enrollOn(company: Company, day: number): Promise<void> {
  const { service, agents, administrators, managedEnrollmentToken, startSeconds } = company
  const idOf = new Map(company.people.employees.map(({ email, id }) => [email, id]))
  const newAgents = agents
    .filter(({ browser }) => browser.fromDay === day)
    .map((agent) => ({ agent, atSeconds: opensAt(agent.browser, startSeconds, day) - 600 }))
  for (const { agent, atSeconds } of newAgents.toSorted((one, other) => one.atSeconds - other.atSeconds)) {
    service.setTime(atSeconds)
    const { browser } = agent
    const employeeId = idOf.get(browser.person.email) ?? ''
    const token =
      browser.tokenType === 'MANAGED'
        ? managedEnrollmentToken
        : await administrators.enrollmentToken(employeeId)
    await agent.enroll(token, day)
  }
}

async function reportOn({ service, agents }: Company, day: number, nowSeconds: number): Promise<void> {
  const reports = agents.flatMap((agent) => agent.reportsOn(day))
  for (const { atSeconds, send } of reports.toSorted((one, other) => one.atSeconds - other.atSeconds)) {
    if (atSeconds > nowSeconds) return
    service.setTime(atSeconds)
    await send()
  }
}
