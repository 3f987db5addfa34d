import type { WorkChange } from '@muster/contract/console/work/console-work'
import { type WorkList, workBatchMaximum } from '@muster/contract/console/work/work-fields'
import { callConsole } from '../../data/call.ts'
import type { Selection } from '../../list/list-plan.ts'

/** Part of a selection: some IDs, or the records after a cursor. */
type Part = { readonly ids: string[] } | { readonly query: string; readonly cursor?: string }

/** Outcome of the request for a part. */
interface PartDone {
  readonly found: number
  readonly changed: number
  readonly cursor: string | null
}

/** Asks the employees of the selected findings by e-mail. @returns the number of employees who were asked */
export const askSelection = (
  selection: Selection,
  onProgress: (found: number) => void,
  isStopped: () => boolean,
): Promise<number> =>
  sendParts(selection, (part) => callConsole('askEmployees', { body: part }), onProgress, isStopped)

/**
 * Changes the work on the selected records, one part after the other: each request is one transaction on the server.
 *
 * @param onProgress called with the number of records that were looked at so far
 * @param isStopped true once the rest is to be left unchanged
 * @returns the number of changed records
 */
export const changeSelection = (
  list: WorkList,
  selection: Selection,
  change: WorkChange,
  onProgress: (found: number) => void,
  isStopped: () => boolean,
): Promise<number> =>
  sendParts(
    selection,
    (part) => callConsole('changeWork', { body: { list, change, ...part } }),
    onProgress,
    isStopped,
  )

async function sendParts(
  selection: Selection,
  request: (part: Part) => Promise<PartDone>,
  onProgress: (found: number) => void,
  isStopped: () => boolean,
): Promise<number> {
  let found = 0
  let changed = 0
  const send = async (part: Part) => {
    const answer = await request(part)
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
