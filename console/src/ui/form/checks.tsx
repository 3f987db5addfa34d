import { labelOf } from '../text/labels.ts'
import { CheckField } from './form.tsx'

/** A group of checkboxes. */
export function Checks<T extends string>({
  label,
  values,
  chosen,
  textOf = labelOf,
  onChange,
}: {
  label: string
  values: readonly T[]
  chosen: readonly T[]
  textOf?: (value: T) => string
  onChange: (values: T[]) => void
}) {
  return (
    <fieldset className="checks">
      <legend>{label}</legend>
      {values.map((value) => (
        <CheckField
          key={value}
          checked={chosen.includes(value)}
          onChange={(checked) =>
            onChange(values.filter((one) => (one === value ? checked : chosen.includes(one))))
          }
        >
          {textOf(value)}
        </CheckField>
      ))}
    </fieldset>
  )
}
