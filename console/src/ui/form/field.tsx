import { type ComponentProps, type ReactNode, useId } from 'react'
import { ConsoleError, messageOf } from '../../data/console-send.ts'
import { useFieldError } from './form-context.ts'

interface FieldFacts {
  readonly label: string
  readonly hint?: ReactNode
  /** Member of the request body. Validation errors for it are shown at this field. */
  readonly name?: string | undefined
  /** Error message. */
  readonly error?: string | undefined
}

function Field({
  label,
  hint,
  name,
  error: known,
  children,
}: FieldFacts & {
  children: (ids: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}) {
  const id = useId()
  const fieldError = useFieldError(name)
  const error = known ?? fieldError
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(error === undefined ? {} : { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="soft small">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** Single-line text input. */
export function TextField({
  label,
  hint,
  name,
  error,
  className = '',
  ...rest
}: FieldFacts & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} name={name} error={error}>
      {(ids) => <input {...rest} {...ids} className={`input ${className}`} />}
    </Field>
  )
}

/** Multi-line text input. */
export function TextArea({ label, hint, name, error, ...rest }: FieldFacts & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} name={name} error={error}>
      {(ids) => <textarea {...rest} {...ids} className="input" />}
    </Field>
  )
}

/** Select with a few options. */
export function ChoiceField({
  label,
  hint,
  name,
  error,
  choices,
  ...rest
}: FieldFacts & ComponentProps<'select'> & { choices: readonly (readonly [value: string, text: string])[] }) {
  return (
    <Field label={label} hint={hint} name={name} error={error}>
      {(ids) => (
        <select {...rest} {...ids} className="input">
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Error of a form that no field shows. */
export function FormError({ error, fields = new Set() }: { error: unknown; fields?: ReadonlySet<string> }) {
  if (!error) return null
  if (error instanceof ConsoleError && error.fieldErrors.some(({ name }) => fields.has(name))) return null
  const text = messageOf(error)
  // Some messages already contain the time to wait.
  const wait =
    error instanceof ConsoleError && !/try again in/i.test(text) ? error.retryAfterSeconds : undefined
  return (
    <p className="notice bad" role="alert">
      {text}
      {wait !== undefined && ` Try again in ${wait} s.`}
    </p>
  )
}
