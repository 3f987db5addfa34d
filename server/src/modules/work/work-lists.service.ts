import type { DetectionWork, FindingWork } from '@muster/contract/console/work/work-fields'
import { detections } from '@muster/contract/records/detection'
import { type Finding, findings } from '@muster/contract/records/finding'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { noWork, pauseOf, type WorkState, workStatusOf } from './work.rules.ts'
import { readWorkStates } from './work.store.ts'

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

/** Adds the work on findings and detections to their stored records. Records of other collections are returned unchanged. */
export async function addWork(
  db: Reader,
  { collection, org }: Pick<SortedRequest, 'collection' | 'org'>,
  nowSeconds: number,
  texts: readonly string[],
): Promise<readonly string[]> {
  const { name } = collection
  if (name !== findings.name && name !== detections.name) return texts
  const records = texts.map((text) => JSON.parse(text) as Pick<Finding, 'id' | 'state'>)
  const states = await readWorkStates(
    db,
    org,
    records.map(({ id }) => id),
  )
  return texts.map((text, at) => {
    const { id = '', state = 'OPEN' } = records[at] ?? {}
    const work = states.get(id) ?? noWork
    const added = JSON.stringify(
      name === findings.name ? findingWork(state, work, nowSeconds) : detectionWork(work),
    )
    return `${text.slice(0, -1)},${added.slice(1)}`
  })
}
