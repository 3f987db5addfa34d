import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PushButton } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './field.tsx'

/** Asks before something is done that cannot be taken back. */
export function Confirm({
  title,
  action,
  run,
  onClose,
  children,
}: {
  title: string
  /** What the button says. */
  action: string
  run: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const mutation = useMutation({ mutationFn: run, onSuccess: onClose })
  return (
    <Dialog title={title} onClose={onClose} narrow>
      <div className="stack tight">{children}</div>
      <FormError error={mutation.error} />
      <div className="dialog-actions">
        <PushButton onClick={onClose}>Cancel</PushButton>
        <PushButton kind="danger primary" busy={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </PushButton>
      </div>
    </Dialog>
  )
}
