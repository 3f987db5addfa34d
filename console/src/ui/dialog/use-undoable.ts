import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../data/console-send.ts'
import { useReload } from '../../data/record.ts'
import { showToast, showUndoableToast } from './toasts.tsx'

/** A change made with a single click. */
interface UndoableChange {
  /** Announced when it is done. */
  readonly text: string
  readonly run: () => Promise<unknown>
  readonly undo: () => Promise<unknown>
}

/** Runs single-click changes: announces each, offers to undo it, and reloads the page's data. */
export function useUndoable() {
  const reload = useReload()
  return useMutation({
    mutationFn: ({ run }: UndoableChange) => run(),
    onSuccess: async (_done, { text, undo }) => {
      showUndoableToast(text, () =>
        undo().then(reload, (error: unknown) => showToast(`Could not undo: ${messageOf(error)}`, true)),
      )
      await reload()
    },
    onError: (error) => showToast(messageOf(error), true),
  })
}
