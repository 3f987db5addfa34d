import { type ChangeEvent, type ReactNode, useMemo } from 'react'
import { PushButton } from '../button.tsx'
import { FormError } from './field.tsx'
import { FormFacts } from './form-facts.ts'

/** What a form does when it is sent: a mutation of TanStack Query, as much of it as a form needs. */
export interface Sending {
  readonly mutate: () => void
  readonly isPending: boolean
  readonly error: unknown
}

/**
 * A form that does one thing: its fields, what the server has refused, and the buttons. A field with a `name` shows what
 * the server finds wrong with that member; whatever no field shows stands above the buttons.
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
  sending: Sending
  /** What the button says; without it there is none. */
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
      <FormFacts value={facts}>{children}</FormFacts>
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

/** What a form does that asks nothing of the server. */
export const atOnce = (run: () => void): Sending => ({ mutate: run, isPending: false, error: null })

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The properties by which a field has a value and tells of a new one. */
export const bound = <V extends string>(value: V, set: (value: V) => void) => ({
  value,
  onChange: (event: ChangeEvent<Typed>) => set(event.target.value as V),
})

/** A box to tick, with what it means. */
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
