import { X } from 'lucide-react'
import { PersonLink } from '../text/person-link.tsx'
import { PersonPicker } from './person-picker.tsx'

/** Selects any number of employees. */
export function PeoplePicker({
  label,
  chosen,
  onChange,
}: {
  label: string
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}) {
  return (
    <div className="field">
      <PersonPicker
        label={label}
        id={null}
        onChange={(person) => {
          if (person && !chosen.includes(person.id)) onChange([...chosen, person.id])
        }}
      />
      {chosen.length > 0 && (
        <ul className="chips" aria-label={label}>
          {chosen.map((id) => (
            <li key={id} className="chip">
              <PersonLink id={id} plain />
              <button
                type="button"
                aria-label="Remove employee"
                onClick={() => onChange(chosen.filter((one) => one !== id))}
              >
                <X />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
