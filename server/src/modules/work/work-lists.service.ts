import type { DetectionWork, FindingWork, WorkEntry } from '@muster/contract/console/work/work-fields'
import type { Detection } from '@muster/contract/records/detection'
import type { Finding } from '@muster/contract/records/finding'
import type { Reader } from '../../kernel/store/sql.ts'
import { noWork, pauseOf, type WorkState, workStatusOf } from './work.rules.ts'
import { readEntriesOfAll, readWorkStates } from './work.store.ts'

/** Returns the members that the list of findings adds to a record. */
export function findingWork(state: Finding['state'], work: WorkState, nowSeconds: number): FindingWork {
  const { assigneeId, assigneeName, untilTimestamp } = work
  return {
    workStatus: workStatusOf(state, work, nowSeconds),
    pausedUntilTimestamp: pauseOf(work, nowSeconds) === null ? null : untilTimestamp,
    assigneeId,
    assigneeName,
  }
}

const detectionWork = ({ assigneeId, assigneeName }: WorkState): DetectionWork => ({
  assigneeId,
  assigneeName,
})

/** Moment at which a list is read. */
interface ReadAt {
  readonly org: number
  /** UNIX seconds. */
  readonly nowSeconds: number
}

/** Returns the work on findings, by record. */
export async function findingWorkMembers(
  db: Reader,
  { org, nowSeconds }: ReadAt,
  records: readonly Pick<Finding, 'id' | 'state'>[],
): Promise<(record: Pick<Finding, 'id' | 'state'>) => FindingWork> {
  const ids = records.map(({ id }) => id)
  const states = await readWorkStates(db, org, ids)
  return ({ id, state }) => findingWork(state, states.get(id) ?? noWork, nowSeconds)
}

/** Returns the work on detections, by record. */
export async function detectionWorkMembers(
  db: Reader,
  { org }: ReadAt,
  records: readonly Pick<Detection, 'id'>[],
): Promise<(record: Pick<Detection, 'id'>) => DetectionWork> {
  const ids = records.map(({ id }) => id)
  const states = await readWorkStates(db, org, ids)
  return ({ id }) => detectionWork(states.get(id) ?? noWork)
}

/** Maximum number of entries of an incident that are read: a note on all of its detections is one for each. */
const entriesMaximum = 5000

/** Returns the newest entries of the histories of several records, in no particular order. */
export const readEntriesOf = (db: Reader, org: number, ids: readonly string[]): Promise<WorkEntry[]> =>
  readEntriesOfAll(db, org, ids, entriesMaximum)
