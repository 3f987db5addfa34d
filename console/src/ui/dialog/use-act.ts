import { useMutation } from '@tanstack/react-query'

/**
 * What a dialog does: it closes as soon as that is done, and what has changed is read anew behind it. What is refused is
 * shown in the dialog, which stays open then.
 */
export function useAct<T>(run: () => Promise<T>, onClose: () => void, onDone?: (done: T) => unknown) {
  return useMutation({
    mutationFn: run,
    onSuccess: (done) => {
      onClose()
      void onDone?.(done)
    },
  })
}
