import type { App } from '@muster/contract/records/app'
import type { Controls } from '@muster/contract/records/controls'
import type { Detection } from '@muster/contract/records/detection'
import type { Employee, EnrollmentLink } from '@muster/contract/records/employee'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { appDecision, demoBlockedPatterns, detectionDecision } from './demo-decisions.ts'
import type { DuplicateRecord } from './demo-people.ts'
import type { DemoRequest, DemoService } from './demo-service.ts'
import type { DemoWork } from './demo-work.ts'
import { daySeconds } from './workforce/company.ts'

/** Actions of simulated administrators, over the API. Days must be played in order. */
export interface DemoAdministrators {
  /**
   * Creates an enrollment link for an employee.
   *
   * @returns the token of the link
   */
  enrollmentToken(employeeId: string): Promise<string>
  blockUrls(): Promise<void>
  /** Reports stolen passwords of a number of employees. */
  reportStolen(count: number): Promise<void>
  setControls(controls: Controls, nowSeconds: number): Promise<void>
  merge(duplicates: readonly DuplicateRecord[]): Promise<void>
  /** Reviews new apps. */
  reviewApps(): Promise<void>
  /** Reviews detections of the last days. Those that are older stay as they are. */
  reviewDetections(nowSeconds: number): Promise<void>
}

const pageRecords = 100
/** Days in which a detection is reviewed, and the share of the waiting ones that are reviewed on a day. */
const reviewDays = 7
const reviewedDaily = 0.45
/** Seconds in which the reviews of a day are done. */
export const reviewSeconds = 2 * 3600

/**
 * @param place store, organization and an API key that can write
 * @param employees candidates for owners of apps
 */
export function demoAdministrators(
  service: DemoService,
  target: { readonly db: Db; readonly org: number; readonly apiKey: string; readonly work: DemoWork },
  employees: readonly Employee[],
  seed: number,
): DemoAdministrators {
  const random = seededRandom(seed + 4)
  const seenApps = new Set<string>()
  const seenDetections = new Set<string>()

  const request = async <T>(method: DemoRequest['method'], path: string, body?: unknown): Promise<T> => {
    const answer = await service.send({ method, path, body, headers: { 'x-api-key': target.apiKey } })
    return answer.body as T
  }

  const list = async <T>(path: string): Promise<T[]> => {
    const records: T[] = []
    for (let token: string | null | undefined = ''; token != null; ) {
      const next: string = token === '' ? '' : `&nextToken=${encodeURIComponent(token)}`
      const page: { result: T[]; paging: { nextToken?: string | null } } = await request(
        'GET',
        `${path}limit=${pageRecords}${next}`,
      )
      records.push(...page.result)
      token = page.paging.nextToken
    }
    return records
  }

  return {
    async enrollmentToken(employeeId) {
      const { enrollmentLink } = await request<EnrollmentLink>(
        'POST',
        `/v1/employees/${employeeId}/enrollmentLink`,
      )
      return enrollmentLink.slice(enrollmentLink.lastIndexOf('/') + 1)
    },
    async blockUrls() {
      for (const url of demoBlockedPatterns) await request('POST', '/v1/controls/blockedUrls', { url })
    },
    async reportStolen(count) {
      const credentials = random
        .sample(employees, count)
        .map(({ email }) => ({ email, password: `leaked ${random.below(2 ** 32)}` }))
      if (credentials.length > 0)
        await request('POST', '/v1/controls/stolenCredentials', { source: 'A found list', credentials })
    },
    setControls: (controls, nowSeconds) =>
      target.db.inTransaction((tx) => writeControls(tx, target.org, controls, nowSeconds)),
    async merge(duplicates) {
      for (const { primaryId, secondaryId } of duplicates)
        await request('POST', `/v1/employees/${primaryId}/merge`, { employeeIds: [secondaryId] })
    },
    async reviewApps() {
      for (const app of await list<App>('/v1/apps?')) {
        if (seenApps.has(app.id)) continue
        seenApps.add(app.id)
        const { update, labels } = appDecision(random, app, employees)
        if (Object.keys(update).length > 0) await request('PATCH', `/v1/apps/${app.id}`, update)
        for (const label of labels) await request('POST', `/v1/apps/${app.id}/labels`, { label })
      }
    },
    async reviewDetections(nowSeconds) {
      const from = nowSeconds - reviewDays * daySeconds
      const waiting = await list<Detection>(
        `/v1/detections?classification=NOT_CLASSIFIED&archived=false&creationTimestampAfter=${from}&`,
      )
      const reviewed = waiting.filter(({ id }) => !seenDetections.has(id) && random.chance(reviewedDaily))
      const taken: string[] = []
      for (const [index, detection] of reviewed.entries()) {
        service.setTime(nowSeconds + Math.floor((index * reviewSeconds) / reviewed.length))
        seenDetections.add(detection.id)
        const update = detectionDecision(random, detection)
        if (update) await request('PATCH', `/v1/detections/${detection.id}`, update)
        else taken.push(detection.id)
      }
      await target.work.assignDetections(taken, nowSeconds)
    },
  }
}
