import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../data/console-send.ts'
import { useReload } from '../../data/record.ts'
import { tell, tellUndoable } from './toasts.tsx'

/** A change that takes one press. */
interface UndoableChange {
  /** Announced when it is done. */
  readonly text: string
  readonly run: () => Promise<unknown>
  readonly undo: () => Promise<unknown>
}

/** Makes changes that take one press: announces each, offers to undo it, and reloads what the page shows. */
export function useUndoable() {
  const reload = useReload()
  return useMutation({
    mutationFn: ({ run }: UndoableChange) => run(),
    onSuccess: async (_done, { text, undo }) => {
      tellUndoable(text, () =>
        undo().then(reload, (error: unknown) => tell(`Could not undo: ${messageOf(error)}`, true)),
      )
      await reload()
    },
    onError: (error) => tell(messageOf(error), true),
  })
}
