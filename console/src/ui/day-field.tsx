import { TextField } from './field.tsx'

/** A day of UTC, as the UNIX seconds that it begins at; null where none is given. */
export function DayField({
  label,
  hint,
  name,
  seconds,
  required = false,
  onChange,
}: {
  label: string
  hint?: string
  name?: string
  seconds: number | null
  required?: boolean
  onChange: (seconds: number | null) => void
}) {
  return (
    <TextField
      label={label}
      hint={hint}
      name={name}
      type="date"
      required={required}
      value={seconds === null ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)}
      onChange={({ target }) =>
        onChange(Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber / 1000)
      }
    />
  )
}

const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day of UTC in words: `1 June 2027`. */
export const utcDayText = (seconds: number): string => utcDay.format(seconds * 1000)
