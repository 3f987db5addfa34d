import type { Incident } from '@muster/contract/console/incidents/incident'
import type { App } from '@muster/contract/records/app'
import type { Finding } from '@muster/contract/records/finding'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { figureMembers } from '../apps/app-lists.service.ts'
import { incidentMembers } from '../incidents/incident-lists.service.ts'
import { priorityMembers, riskMembers } from '../risk/risk-members.service.ts'
import { detectionWorkMembers, findingWorkMembers } from '../work/work-lists.service.ts'

/** Record of any list, with the members by which further ones are found. */
type ListedRecord = Pick<App, 'id' | 'type'> & Pick<Finding, 'state'> & Omit<Incident, 'id'>

/** Reads the members that a list adds to some records. Returns those of a record. */
type MemberSource = (
  db: Db,
  at: { readonly org: number; readonly nowSeconds: number },
  records: readonly ListedRecord[],
) => Promise<(record: ListedRecord) => object | undefined>

const memberSources: Readonly<Record<string, readonly MemberSource[]>> = {
  apps: [figureMembers],
  employees: [riskMembers('employees')],
  accounts: [riskMembers('accounts')],
  findings: [priorityMembers, findingWorkMembers],
  detections: [detectionWorkMembers],
  // Reads all open detections of an incident, of which there can be hundreds of thousands.
  incidents: [(db, at, records) => incidentMembers(db.slow, at, records)],
}

/**
 * Adds the members that a list has in addition to those of its collection.
 *
 * @param texts stored records
 */
export async function withAddedMembers(
  db: Db,
  { collection, org }: Pick<SortedRequest, 'collection' | 'org'>,
  nowSeconds: number,
  texts: readonly string[],
): Promise<readonly string[]> {
  const sources = memberSources[collection.name]
  if (!sources || texts.length === 0) return texts
  const listed = texts.map((text) => ({ text, record: JSON.parse(text) as ListedRecord }))
  const records = listed.map(({ record }) => record)
  const members = await Promise.all(sources.map((read) => read(db, { org, nowSeconds }, records)))
  return listed.map(({ text, record }) => {
    const added = JSON.stringify(Object.assign({}, ...members.map((of) => of(record))))
    return `${text.slice(0, -1)},${added.slice(1)}`
  })
}
