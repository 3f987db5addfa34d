import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../data/console-send.ts'
import type { ListRecord } from '../data/lists.ts'
import { tell } from '../ui/toasts.tsx'
import type { BulkAction, ListPlan } from './list-plan.ts'

/** So many requests of one action run at once. */
const atOnce = 4

/** Does an action to records, some at a time, and then reads the list anew. */
export function useBulk<N extends ConsoleListName>(plan: ListPlan<N>, onDone: () => void) {
  const client = useQueryClient()
  type R = ListRecord<N>
  return useMutation({
    mutationFn: async ({ action, records }: { action: BulkAction<R>; records: readonly R[] }) => {
      const failures: unknown[] = []
      if (action.runAll) {
        await action.runAll(records)
        return { done: records.length, failures, action }
      }
      const waiting = [...records]
      const work = async () => {
        for (let record = waiting.shift(); record; record = waiting.shift())
          await action.run(record).catch((error: unknown) => failures.push(error))
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      return { done: records.length - failures.length, failures, action }
    },
    onError: (error) => tell(messageOf(error), true),
    onSuccess: async ({ done, failures, action }) => {
      if (done > 0) tell(action.done(done))
      if (failures.length > 0) tell(`${failures.length} failed: ${messageOf(failures[0])}`, true)
      onDone()
      await client.invalidateQueries({ queryKey: ['list', plan.name] })
      await client.invalidateQueries({ queryKey: ['count', plan.name] })
    },
  })
}
