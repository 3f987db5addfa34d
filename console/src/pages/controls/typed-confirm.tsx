import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError, TextField } from '../../ui/field.tsx'

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
  const right = typed.trim().toLowerCase() === word
  return (
    <Dialog title={title} onClose={onClose} narrow>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (right) mutation.mutate()
        }}
      >
        {children}
        <TextField
          label={`Type “${word}” to go on`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <FormError error={mutation.error} />
        <div className="dialog-actions">
          <PushButton onClick={onClose}>Cancel</PushButton>
          <PushButton kind="danger primary" type="submit" busy={mutation.isPending} disabled={!right}>
            {action}
          </PushButton>
        </div>
      </form>
    </Dialog>
  )
}
