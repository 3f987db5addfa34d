import type { ReactNode } from 'react'
import { Form } from '../form/form.tsx'
import { Dialog } from './dialog.tsx'
import { useAct } from './use-act.ts'

/** Asks before something is done that cannot be taken back. It closes as soon as that is done. */
export function Confirm({
  title,
  action,
  run,
  onDone,
  onClose,
  children,
}: {
  title: string
  /** What the button says. */
  action: string
  run: () => Promise<unknown>
  /** Follows when it is done and the dialog is closed: reading anew what has changed. */
  onDone?: (() => unknown) | undefined
  onClose: () => void
  children: ReactNode
}) {
  const mutation = useAct(run, onClose, onDone)
  return (
    <Dialog title={title} onClose={onClose} narrow>
      <Form sending={mutation} kind="danger primary" action={action} onCancel={onClose}>
        <div className="stack tight">{children}</div>
      </Form>
    </Dialog>
  )
}
