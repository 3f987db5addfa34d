import { useNavigate, useSearch } from '@tanstack/react-router'
import { labelOf } from '../text/labels.ts'

/** Returns the period in the URL, or the default. */
export function usePeriod<P extends string>(periods: readonly P[], fallback: P): P {
  const { period: given } = useSearch({ strict: false })
  return periods.find((one) => one === given) ?? fallback
}

/** Menu of the periods of a page. The URL keeps the choice. */
export function PeriodSelect({ periods, period }: { periods: readonly string[]; period: string }) {
  const navigate = useNavigate()
  return (
    <select
      className="input fit"
      aria-label="Period"
      value={period}
      onChange={({ target }) => void navigate({ to: '.', search: { period: target.value }, replace: true })}
    >
      {periods.map((one) => (
        <option key={one} value={one}>
          {labelOf(one)}
        </option>
      ))}
    </select>
  )
}
