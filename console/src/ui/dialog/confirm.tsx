import type { ReactNode } from 'react'
import { Form } from '../form/form.tsx'
import { Dialog } from './dialog.tsx'
import { useDialogAction } from './use-dialog-action.ts'

/** Dialog that asks for confirmation before an action that cannot be undone. Closes once the action has succeeded. */
export function Confirm({
  title,
  action,
  run,
  onDone,
  onClose,
  children,
}: {
  title: string
  /** Label of the button. */
  action: string
  run: () => Promise<unknown>
  /** Runs after the dialog has closed, for example to reload changed data. */
  onDone?: (() => unknown) | undefined
  onClose: () => void
  children: ReactNode
}) {
  const mutation = useDialogAction(run, onClose, onDone)
  return (
    <Dialog title={title} onClose={onClose} narrow>
      <Form sending={mutation} kind="danger primary" action={action} onCancel={onClose}>
        <div className="stack tight">{children}</div>
      </Form>
    </Dialog>
  )
}
