import { type Report, reportRows } from '@muster/contract/console/trends/console-trends'
import { type App, apps } from '@muster/contract/records/app'
import { type Detection, severities } from '@muster/contract/records/detection'
import { findRecords } from '../../kernel/store/find-records.ts'
import { firstSequenceOf } from '../../kernel/store/sequence.ts'
import type { Reader } from '../../kernel/store/sql.ts'

/** Returns the apps with the most open findings. */
export async function topApps(db: Reader, org: number): Promise<Report['apps']> {
  const rows = await db.all<{ id: string; openFindings: number; people: number }>(
    `SELECT app_id AS id, open_findings AS "openFindings", people FROM app_figures
     WHERE org = ? AND open_findings > 0 ORDER BY open_findings DESC, app_id LIMIT ${reportRows}`,
    [org],
  )
  const records: App[] = await findRecords(
    db,
    apps,
    org,
    'id',
    rows.map(({ id }) => id),
  )
  const names = new Map(records.map(({ id, friendlyName }) => [id, friendlyName]))
  return rows.flatMap((row) => {
    const name = names.get(row.id)
    return name === undefined ? [] : [{ ...row, name }]
  })
}

/** Returns the most severe detections of a period, newest first among equals. Times are UNIX seconds. */
export async function topDetections(
  db: Reader,
  org: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Report['detections']> {
  const found: Detection[] = []
  const sql = `SELECT record FROM detections${db.dialect.indexedBy('detections_by_severity')}
    WHERE org = ? AND severity = ? AND seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?`
  for (const severity of severities.toReversed()) {
    const left = reportRows - found.length
    if (left === 0) break
    const bounds = [firstSequenceOf(from), firstSequenceOf(to)]
    const rows = await db.all<{ record: string }>(sql, [org, severity, ...bounds, left])
    found.push(...rows.map(({ record }) => JSON.parse(record) as Detection))
  }
  return found.map(({ id, detectionType, severity, response, url, creationTimestamp }) => ({
    id,
    detectionType,
    severity,
    response,
    site: url === null ? null : (URL.parse(url)?.hostname ?? null),
    creationTimestamp,
  }))
}
