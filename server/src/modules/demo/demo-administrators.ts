import type { App } from '@muster/contract/app'
import type { Controls } from '@muster/contract/controls'
import type { Detection } from '@muster/contract/detection'
import type { Employee, EnrollmentLink } from '@muster/contract/employee'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { appDecision, demoBlockedPatterns, detectionDecision } from './demo-decisions.ts'
import type { SecondSelf } from './demo-people.ts'
import type { DemoRequest, DemoService } from './demo-service.ts'
import { daySeconds } from './workforce/company.ts'

/** What only administrators do, over the API. Days follow on each other. */
export interface DemoAdministrators {
  /** Makes a link by which an employee enrolls a browser, and gives its token. */
  enrolmentToken(employeeId: string): Promise<string>
  blockUrls(): Promise<void>
  /** Tells of passwords that were found in a leak, of so many of the employees. */
  reportStolen(count: number): Promise<void>
  setControls(controls: Controls, nowSeconds: number): Promise<void>
  merge(secondSelves: readonly SecondSelf[]): Promise<void>
  /** Decides about the apps that are new. */
  reviewApps(): Promise<void>
  /** Decides about the detections that are some days old. */
  reviewDetections(nowSeconds: number): Promise<void>
}

const pageRecords = 100
/** Detections are looked at when they are so old. */
const waitsDays = 4

/**
 * @param apiKey a key that may write
 * @param employees whom apps can belong to
 */
export function demoAdministrators(
  service: DemoService,
  place: { readonly db: Db; readonly org: number; readonly apiKey: string },
  employees: readonly Employee[],
  seed: number,
): DemoAdministrators {
  const random = seededRandom(seed + 4)
  const seenApps = new Set<string>()
  const seenDetections = new Set<string>()

  const ask = async <T>(method: DemoRequest['method'], path: string, body?: unknown): Promise<T> => {
    const answer = await service.ask({ method, path, body, headers: { 'x-api-key': place.apiKey } })
    return answer.body as T
  }

  const list = async <T>(path: string): Promise<T[]> => {
    const records: T[] = []
    for (let token: string | null | undefined = ''; token != null; ) {
      const next: string = token === '' ? '' : `&nextToken=${encodeURIComponent(token)}`
      const page: { result: T[]; paging: { nextToken?: string | null } } = await ask(
        'GET',
        `${path}limit=${pageRecords}${next}`,
      )
      records.push(...page.result)
      token = page.paging.nextToken
    }
    return records
  }

  return {
    async enrolmentToken(employeeId) {
      const { enrollmentLink } = await ask<EnrollmentLink>(
        'POST',
        `/v1/employees/${employeeId}/enrollmentLink`,
      )
      return enrollmentLink.slice(enrollmentLink.lastIndexOf('/') + 1)
    },
    async blockUrls() {
      for (const url of demoBlockedPatterns) await ask('POST', '/v1/controls/blockedUrls', { url })
    },
    async reportStolen(count) {
      const credentials = random
        .sample(employees, count)
        .map(({ email }) => ({ email, password: `leaked ${random.below(2 ** 32)}` }))
      if (credentials.length > 0)
        await ask('POST', '/v1/controls/stolenCredentials', { source: 'A found list', credentials })
    },
    setControls: (controls, nowSeconds) =>
      place.db.inTransaction((tx) => writeControls(tx, place.org, controls, nowSeconds)),
    async merge(secondSelves) {
      for (const { primaryId, secondaryId } of secondSelves)
        await ask('POST', `/v1/employees/${primaryId}/merge`, { employeeIds: [secondaryId] })
    },
    async reviewApps() {
      for (const app of await list<App>('/v1/apps?')) {
        if (seenApps.has(app.id)) continue
        seenApps.add(app.id)
        const { update, labels } = appDecision(random, app, employees)
        if (Object.keys(update).length > 0) await ask('PATCH', `/v1/apps/${app.id}`, update)
        for (const label of labels) await ask('POST', `/v1/apps/${app.id}/labels`, { label })
      }
    },
    async reviewDetections(nowSeconds) {
      const before = nowSeconds - waitsDays * daySeconds
      const waiting = await list<Detection>('/v1/detections?classification=NOT_CLASSIFIED&')
      for (const detection of waiting) {
        if (seenDetections.has(detection.id) || detection.creationTimestamp > before) continue
        seenDetections.add(detection.id)
        const update = detectionDecision(random, detection)
        if (update) await ask('PATCH', `/v1/detections/${detection.id}`, update)
      }
    },
  }
}
