import type { Employee } from '@muster/contract/records/employee'
import { useDeferredValue, useState } from 'react'
import { useFirstRecords } from '../../data/lists.ts'
import { personName } from '../../data/person.ts'
import { PushButton } from '../button.tsx'
import { PersonLink } from '../text/person-link.tsx'
import { TextField } from './field.tsx'

/** Selects one employee or none. */
export function PersonPicker({
  label,
  id,
  onChange,
}: {
  label: string
  id: string | null
  onChange: (employee: Employee | null) => void
}) {
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed.trim())
  const found = useFirstRecords('employees', { search: text }, { limit: 6, enabled: text.length >= 2 })
  const choose = (person: Employee) => {
    setTyped('')
    onChange(person)
  }
  if (id !== null)
    return (
      <div className="field">
        <span className="label">{label}</span>
        <span className="row">
          <span className="grow">
            <PersonLink id={id} />
          </span>
          <PushButton aria-label={`Remove ${label.toLowerCase()}`} onClick={() => onChange(null)}>
            Remove
          </PushButton>
        </span>
      </div>
    )
  return (
    <div className="stack tight">
      <TextField
        label={label}
        ref={(input) => input?.setCustomValidity(typed.trim() === '' ? '' : notChosen)}
        type="search"
        placeholder="Name or e-mail"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          // The results may still belong to an earlier text.
          const first = text === typed.trim() ? found.data?.records[0] : undefined
          if (first) choose(first)
        }}
      />
      {text.length >= 2 && (
        <ul className="lines">
          {found.data?.records.map((person) => (
            <li key={person.id}>
              <span className="grow">
                {personName(person)} <span className="soft small">{person.email}</span>
              </span>
              <PushButton aria-label={`Choose ${person.email}`} onClick={() => choose(person)}>
                Choose
              </PushButton>
            </li>
          ))}
          {found.data?.records.length === 0 && <li className="soft">No results</li>}
        </ul>
      )}
    </div>
  )
}

/** Custom validity message. Without it, a name that was typed but not chosen would be lost on submit. */
const notChosen = 'Choose an employee from the results, or clear this field.'
