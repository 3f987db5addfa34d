import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { type Query, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../data/console-send.ts'
import type { ListSearch } from '../data/list-search.ts'
import type { ListRecord } from '../data/lists.ts'
import { useReload } from '../data/record.ts'
import { showToast, showUndoableToast } from '../ui/dialog/toasts.tsx'
import type { BulkAction, ListPlan } from './list-plan.ts'
import { type ListPages, restoreRecords } from './restore-records.ts'

/** Maximum number of concurrent requests per action. */
const atOnce = 4

/** Runs an action for each record with limited concurrency. Returns the records that succeeded, and the errors. */
async function runEach<R>(records: readonly R[], run: (record: R) => Promise<unknown>) {
  const done: R[] = []
  const failures: unknown[] = []
  const waiting = [...records]
  const work = async () => {
    for (let record = waiting.shift(); record !== undefined; record = waiting.shift())
      try {
        await run(record)
        done.push(record)
      } catch (error) {
        failures.push(error)
      }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { done, failures }
}

/**
 * Runs an action on records and reloads the list. Records that leave the list are removed optimistically, to move the
 * keyboard focus to the next record; `leaving` contains them even before the next render. Records for which the action
 * failed are restored, even if the reload fails.
 */
export function useBulk<N extends ConsoleListName>(plan: ListPlan<N>, search: ListSearch) {
  const client = useQueryClient()
  const reload = useReload()
  const [leaving] = useState(() => new Set<string>())
  type R = ListRecord<N>
  interface Act {
    readonly action: BulkAction<R>
    readonly records: readonly R[]
  }
  const noLongerLeave = (records: readonly R[]) => {
    for (const { id } of records) leaving.delete(id)
  }
  const takeOut = async (records: readonly R[]) => {
    const gone = idsOf(records)
    const lists = { queryKey: ['list', plan.name], predicate: ({ state }: Query) => hasPages(state.data) }
    await client.cancelQueries({ queryKey: ['list', plan.name] })
    const before = client.getQueriesData<ListPages<R>>(lists)
    client.setQueriesData<ListPages<R>>(
      lists,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            records: page.records.filter(({ id }) => !gone.has(id)),
          })),
        },
    )
    return before
  }
  const undo = async (action: BulkAction<R>, records: readonly R[]) => {
    noLongerLeave(records)
    const { undo: undoOne = () => Promise.resolve(), undoAll } = action
    const { failures } = undoAll
      ? await runEach([records], undoAll)
      : await runEach(records, (record) => undoOne(record))
    if (failures.length > 0) showToast(`Could not undo: ${messageOf(failures[0])}`, true)
    await reload()
  }
  const mutation = useMutation({
    onMutate: async ({ action, records }: Act) => (action.leaves?.(search) ? takeOut(records) : []),
    mutationFn: async ({ action, records }: Act) => {
      if (!action.runAll) return runEach(records, action.run)
      await action.runAll(records)
      return { done: records, failures: [] }
    },
    onError: (error) => showToast(messageOf(error), true),
    onSuccess: ({ done, failures }, { action }) => {
      const text = action.done(done.length)
      if (done.length > 0 && (action.undo || action.undoAll))
        showUndoableToast(text, () => undo(action, done))
      else if (done.length > 0) showToast(text)
      if (failures.length > 0) showToast(`${failures.length} failed: ${messageOf(failures[0])}`, true)
    },
    onSettled: async (outcome, _error, { records }, lists = []) => {
      const done = idsOf(outcome?.done ?? [])
      const failed = records.filter(({ id }) => !done.has(id))
      noLongerLeave(failed)
      for (const [key, before] of lists)
        client.setQueryData<ListPages<R>>(
          key,
          (now) => now && before && restoreRecords(now, before, idsOf(failed)),
        )
      await reload()
      noLongerLeave(records)
    },
  })
  const runAction = (action: BulkAction<R>, records: readonly R[]) => {
    if (action.leaves?.(search)) for (const { id } of records) leaving.add(id)
    mutation.mutate({ action, records })
  }
  return { runAction, leaving: leaving as ReadonlySet<string>, isPending: mutation.isPending }
}

const idsOf = (records: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(records.map(({ id }) => id))

const hasPages = (data: unknown): boolean => typeof data === 'object' && data !== null && 'pages' in data
