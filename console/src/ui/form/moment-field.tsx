import { momentKinds } from '../text/moment-kinds.ts'
import { useTimeZone } from '../text/time-zone.ts'
import { TextField } from './field.tsx'

/** Date or time input. The value is in UNIX seconds; null if empty. */
export function MomentField({
  kind,
  label,
  hint,
  name,
  seconds,
  required = false,
  onChange,
}: {
  kind: keyof typeof momentKinds
  label: string
  hint?: string
  name?: string
  seconds: number | null
  required?: boolean
  onChange: (seconds: number | null) => void
}) {
  const zone = useTimeZone()
  const { type, max, write, read } = momentKinds[kind]
  return (
    <TextField
      label={label}
      hint={hint ?? (kind !== 'utcDay' && zone === 'utc' ? 'Times are in UTC.' : undefined)}
      name={name}
      type={type}
      max={max}
      required={required}
      value={seconds === null ? '' : write(seconds)}
      onChange={({ target }) => onChange(target.value === '' ? null : read(target.value))}
    />
  )
}
