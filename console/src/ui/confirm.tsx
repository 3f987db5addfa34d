import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'

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
      <Form sending={mutation} kind="danger primary" action={action} onCancel={onClose}>
        <div className="stack tight">{children}</div>
      </Form>
    </Dialog>
  )
}
