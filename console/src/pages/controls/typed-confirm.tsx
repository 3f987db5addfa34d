import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { bound, Form } from '../../ui/form.tsx'

/** Asks before much is lost: a word must be typed. */
export function TypedConfirm({
  title,
  word,
  action,
  run,
  onClose,
  children,
}: {
  title: string
  /** What must be typed. */
  word: string
  action: string
  run: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const [typed, setTyped] = useState('')
  const mutation = useMutation({ mutationFn: run, onSuccess: onClose })
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
        <TextField label={`Type “${word}” to go on`} autoComplete="off" {...bound(typed, setTyped)} />
      </Form>
    </Dialog>
  )
}
