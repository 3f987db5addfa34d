import { type ReactNode, useState } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogAction } from '../../ui/dialog/use-dialog-action.ts'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'

/** Confirmation that requires typing a word, for actions that delete a lot. */
export function TypedConfirm({
  title,
  word,
  action,
  run,
  onDone,
  onClose,
  children,
}: {
  title: string
  /** Text to type. */
  word: string
  action: string
  run: () => Promise<unknown>
  /** Runs after the dialog has closed. */
  onDone?: () => unknown
  onClose: () => void
  children: ReactNode
}) {
  const [typed, setTyped] = useState('')
  const mutation = useDialogAction(run, onClose, onDone)
  return (
    <Dialog title={title} onClose={onClose} narrow>
      <Form
        sending={mutation}
        kind="danger primary"
        action={action}
        disabled={typed.trim().toLowerCase() !== word}
        onCancel={onClose}
      >
        {children}
        <TextField label={`Type “${word}” to confirm`} autoComplete="off" {...bound(typed, setTyped)} />
      </Form>
    </Dialog>
  )
}
