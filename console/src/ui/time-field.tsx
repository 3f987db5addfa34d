import { TextField } from './field.tsx'

const two = (part: number): string => String(part).padStart(2, '0')

/** A moment as a field of day and time has it, in the browser's time zone: `2026-01-31T18:00`. */
export function fieldTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** A moment in UNIX seconds, in the browser's time zone; null where nothing is given. */
export function TimeField({
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
      type="datetime-local"
      required={required}
      value={seconds === null ? '' : fieldTime(seconds)}
      onChange={({ target }) =>
        onChange(target.value === '' ? null : Math.floor(new Date(target.value).getTime() / 1000))
      }
    />
  )
}
