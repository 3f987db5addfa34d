import { type App, apps } from '@muster/contract/app'
import { type AppOther, appsOther } from '@muster/contract/app-other'
import type { Collection, RecordOf } from '@muster/contract/collection'
import { type Detection, detections } from '@muster/contract/detection'
import { findRecords } from '../../kernel/store/find-records.ts'
import { insertRecords } from '../../kernel/store/records.ts'
import { scanRecords } from '../../kernel/store/scan-records.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** What administrators have decided about records that are made anew. */
export interface KeptDecisions {
  app(appType: string): Partial<App>
  other(domain: string): Partial<AppOther>
  detection(id: string): Partial<Detection>
  /** The apps that somebody has decided anything about, as they were. */
  readonly decidedApps: readonly App[]
}

/** Remembers what administrators have decided, by what a record is known by when it is made anew. */
export async function readDecisions(reader: Reader, org: number): Promise<KeptDecisions> {
  const decidedApps: App[] = []
  const ofApps = await collect(reader, apps, org, (app) => {
    const { approvalStatus, sensitivityLevel, ownerId, notes, labels } = app
    if (approvalStatus ?? sensitivityLevel ?? ownerId ?? (notes || labels[0])) decidedApps.push(app)
    return [app.type, { approvalStatus, sensitivityLevel, ownerId, notes, labels }]
  })
  const ofOthers = await collect(reader, appsOther, org, ({ domain, hidden, requestSupportStatus }) => [
    domain,
    { hidden, requestSupportStatus },
  ])
  const ofDetections = await collect(reader, detections, org, ({ id, archived, classification }) =>
    archived || classification !== 'NOT_CLASSIFIED' ? [id, { archived, classification }] : undefined,
  )
  return {
    app: (appType) => ofApps.get(appType) ?? {},
    other: (domain) => ofOthers.get(domain) ?? {},
    detection: (id) => ofDetections.get(id) ?? {},
    decidedApps,
  }
}

/** Puts those apps back that somebody has decided about and that nothing has made anew: their product is gone. */
export async function putBackApps(tx: Tx, org: number, { decidedApps }: KeptDecisions): Promise<void> {
  const types = decidedApps.map(({ type }) => type)
  const there = new Set((await findRecords(tx, apps, org, 'type', types)).map(({ type }) => type))
  const lost = decidedApps.filter(({ type }) => !there.has(type))
  const rows = lost.map((app) => ({ id: app.id, record: app, createdAtSeconds: app.creationTimestamp }))
  await insertRecords(tx, apps, org, rows)
}

async function collect<C extends Collection, D>(
  reader: Reader,
  collection: C,
  org: number,
  decisionOf: (record: RecordOf<C>) => [string, D] | undefined,
): Promise<Map<string, D>> {
  const found = new Map<string, D>()
  for await (const texts of scanRecords(reader, collection, org)) {
    for (const text of texts) {
      const decision = decisionOf(JSON.parse(text) as RecordOf<C>)
      if (decision && !found.has(decision[0])) found.set(...decision)
    }
  }
  return found
}
