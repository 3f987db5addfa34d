import { useMutation } from '@tanstack/react-query'

/**
 * Mutation of a dialog. On success the dialog closes before `onDone` reloads data. On failure it stays open and shows
 * the error.
 */
export function useDialogAction<T>(
  run: () => Promise<T>,
  onClose: () => void,
  onDone?: (done: T) => unknown,
) {
  return useMutation({
    mutationFn: run,
    onSuccess: (done) => {
      onClose()
      void onDone?.(done)
    },
  })
}
