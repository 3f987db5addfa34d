import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { type App, apps } from '@muster/contract/records/app'
import { type AppOther, appsOther } from '@muster/contract/records/app-other'
import { type Detection, detections } from '@muster/contract/records/detection'
import { findRecords } from '../../kernel/store/find-records.ts'
import { insertRecords } from '../../kernel/store/records.ts'
import { scanRecords } from '../../kernel/store/scan-records.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Decisions of administrators about records that a replay recreates. */
export interface AdminDecisions {
  app(appType: string): Partial<App>
  other(domain: string): Partial<AppOther>
  detection(id: string): Partial<Detection>
  /** Apps with at least one decision, as stored before the replay. */
  readonly decidedApps: readonly App[]
}

/** Reads all decisions of administrators, by the keys that recreated records have. */
export async function readAdminDecisions(reader: Reader, org: number): Promise<AdminDecisions> {
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

/**
 * Restores decided apps that the replay did not recreate because their product was removed from the catalog.
 */
export async function restoreDecidedApps(
  tx: Tx,
  org: number,
  { decidedApps }: AdminDecisions,
): Promise<void> {
  const types = decidedApps.map(({ type }) => type)
  const existing = new Set((await findRecords(tx, apps, org, 'type', types)).map(({ type }) => type))
  const missing = decidedApps.filter(({ type }) => !existing.has(type))
  const rows = missing.map((app) => ({ id: app.id, record: app, createdAtSeconds: app.creationTimestamp }))
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
