import type { WorkChange } from '@muster/contract/console/work/console-work'
import { type WorkList, workBatchMaximum } from '@muster/contract/console/work/work-fields'
import { callConsole } from '../../data/call.ts'
import type { Selection } from '../../list/list-plan.ts'

/**
 * Changes the work on the selected records, one part after the other: each request is one transaction on the server.
 *
 * @param onProgress called with the number of records that were looked at so far
 * @param isStopped true once the rest is to be left unchanged
 * @returns the number of changed records
 */
export async function changeSelection(
  list: WorkList,
  selection: Selection,
  change: WorkChange,
  onProgress: (found: number) => void,
  isStopped: () => boolean,
): Promise<number> {
  let found = 0
  let changed = 0
  const send = async (part: { ids: string[] } | { query: string; cursor?: string }) => {
    const answer = await callConsole('changeWork', { body: { list, change, ...part } })
    found += answer.found
    changed += answer.changed
    onProgress(found)
    return answer.cursor ?? undefined
  }
  if ('ids' in selection) {
    for (let from = 0; from < selection.ids.length && !isStopped(); from += workBatchMaximum)
      await send({ ids: selection.ids.slice(from, from + workBatchMaximum) })
    return changed
  }
  let cursor: string | undefined
  do cursor = await send({ query: selection.query, ...(cursor !== undefined && { cursor }) })
  while (cursor !== undefined && !isStopped())
  return changed
}
