import { TextField } from './field.tsx'

const two = (part: number): string => String(part).padStart(2, '0')
const localDay = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
const localTime = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return `${localDay(seconds)}T${two(date.getHours())}:${two(date.getMinutes())}`
}
const inSeconds = (text: string): number => Math.floor(new Date(text).getTime() / 1000)

/** How a moment is typed: as a day of UTC, or as a day or a time of the browser's zone; a day is its beginning. */
const kinds = {
  utcDay: {
    type: 'date',
    write: (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10),
    read: (text: string) => inSeconds(`${text}T00:00:00Z`),
  },
  day: { type: 'date', write: localDay, read: (text: string) => inSeconds(`${text}T00:00:00`) },
  time: { type: 'datetime-local', write: localTime, read: inSeconds },
} as const

/** A moment in UNIX seconds; null where none is given. */
export function MomentField({
  kind,
  label,
  hint,
  name,
  seconds,
  required = false,
  onChange,
}: {
  kind: keyof typeof kinds
  label: string
  hint?: string
  name?: string
  seconds: number | null
  required?: boolean
  onChange: (seconds: number | null) => void
}) {
  const { type, write, read } = kinds[kind]
  return (
    <TextField
      label={label}
      hint={hint}
      name={name}
      type={type}
      required={required}
      value={seconds === null ? '' : write(seconds)}
      onChange={({ target }) => onChange(target.value === '' ? null : read(target.value))}
    />
  )
}
