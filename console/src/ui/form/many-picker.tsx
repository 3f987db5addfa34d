import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { PushButton } from '../button.tsx'

type Choice = readonly [value: string, text: string]

/** Input for several values with suggestions, shown as chips. Accepts other values only with `free`. */
export function ManyPicker({
  label,
  hint,
  choices,
  chosen,
  free = false,
  minLength = 1,
  maxLength = 256,
  onChange,
}: {
  label: string
  hint?: string
  choices: readonly Choice[]
  chosen: readonly string[]
  free?: boolean
  minLength?: number
  maxLength?: number
  onChange: (values: string[]) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const textOf = (value: string) => choices.find(([one]) => one === value)?.[1] ?? value
  const add = () => {
    const text = typed.trim()
    if (text === '') return
    const found = matching(choices, text) ?? (free && text.length >= minLength ? text : undefined)
    setWrong(found === undefined)
    if (found === undefined) return
    if (!chosen.includes(found)) onChange([...chosen, found])
    setTyped('')
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {chosen.length > 0 && (
        <ul className="chips">
          {chosen.map((value) => (
            <li key={value} className="chip">
              <span>{textOf(value)}</span>
              <button
                type="button"
                aria-label={`Remove ${textOf(value)}`}
                onClick={() => onChange(chosen.filter((one) => one !== value))}
              >
                <X />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <input
          id={id}
          ref={(input) => input?.setCustomValidity(typed.trim() === '' ? '' : notAdded)}
          className="input grow"
          list={`${id}-list`}
          autoComplete="off"
          maxLength={maxLength}
          aria-describedby={`${id}-hint`}
          aria-invalid={wrong || undefined}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setWrong(false)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <PushButton onClick={add} aria-label={`Add to ${label.toLowerCase()}`}>
          Add
        </PushButton>
      </div>
      <datalist id={`${id}-list`}>
        {suggested(choices, typed).map(([value, text]) => (
          <option key={value} value={text} />
        ))}
      </datalist>
      <p id={`${id}-hint`} className={wrong ? 'field-error' : 'soft small'}>
        {wrong
          ? free
            ? `Enter at least ${minLength} characters.`
            : 'No match. Choose one of the suggestions.'
          : hint}
      </p>
    </div>
  )
}

/** Maximum number of suggestions at a time: the catalog alone would be thousands of elements. */
const suggestionsMaximum = 50

/** Returns the choices whose text contains what was typed, the first ones only. */
function suggested(choices: readonly Choice[], typed: string): readonly Choice[] {
  const folded = typed.trim().toLowerCase()
  return choices.filter(([, text]) => text.toLowerCase().includes(folded)).slice(0, suggestionsMaximum)
}

/** Custom validity message. Without it, text that was typed but not added would be lost on submit. */
const notAdded = 'Press Add to include this value, or clear this field.'

/** Returns the choice whose text or value equals the typed text, ignoring case. */
function matching(choices: readonly Choice[], typed: string): string | undefined {
  const folded = typed.toLowerCase()
  const found = choices.find(([value, text]) => [value, text].some((one) => one.toLowerCase() === folded))
  return found?.[0]
}
