import { type ChangeEvent, type ReactNode, useMemo } from 'react'
import { PushButton } from '../button.tsx'
import { FormError } from './field.tsx'
import { FormContext } from './form-context.ts'

/** The part of a TanStack Query mutation that a form needs. */
export interface FormSubmission {
  readonly mutate: () => void
  readonly isPending: boolean
  readonly error: unknown
}

/**
 * A form with fields, errors and buttons. A field with a `name` shows the errors of that member; other errors are shown
 * above the buttons.
 */
export function Form({
  sending,
  action,
  kind = 'primary',
  disabled = false,
  onCancel,
  cancel = 'Cancel',
  children,
}: {
  sending: FormSubmission
  /** Label of the submit button. Without it there is no button. */
  action?: ReactNode
  kind?: string
  disabled?: boolean
  onCancel?: () => void
  cancel?: string
  children?: ReactNode
}) {
  const { error, isPending } = sending
  const shown = useMemo(() => new Set<string>(), [])
  const facts = useMemo(() => ({ error, shown }), [error, shown])
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending && !disabled) sending.mutate()
      }}
    >
      <FormContext value={facts}>{children}</FormContext>
      <FormError error={error} fields={shown} />
      <div className={onCancel ? 'dialog-actions' : 'row'}>
        {onCancel && <PushButton onClick={onCancel}>{cancel}</PushButton>}
        {action !== undefined && (
          <PushButton kind={kind} type="submit" busy={isPending} disabled={disabled}>
            {action}
          </PushButton>
        )}
      </div>
    </form>
  )
}

/** Submission that runs locally, without a request. */
export const atOnce = (run: () => void): FormSubmission => ({ mutate: run, isPending: false, error: null })

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Returns the `value` and `onChange` properties that bind a field to state. */
export const bound = <V extends string>(value: V, set: (value: V) => void) => ({
  value,
  onChange: (event: ChangeEvent<Typed>) => set(event.target.value as V),
})

/** A checkbox with a label. */
export function CheckField({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{children}</span>
    </label>
  )
}
