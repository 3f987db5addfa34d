import type { ConsoleListName, ConsoleValues } from '@muster/contract/console/console-lists'
import { X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react'
import { appTypeName } from '../data/app-names.ts'
import { send } from '../data/console-send.ts'
import { useValues, valuesPath } from '../data/lists.ts'
import { countText } from '../ui/text/counted.ts'
import { ValueText } from './value-text.tsx'

type Value = ConsoleValues['values'][number]

/** Filters whose values come from another list. */
const borrowed: Readonly<Record<string, readonly [ConsoleListName, string]>> = {
  'browsers group': ['employees', 'group'],
  'apps anyLabel': ['apps', 'labels'],
}

const textOf = (filter: string, { value, text }: Value): string =>
  text ?? (/^(appType|type)$/.test(filter) ? appTypeName(value) : value)

const folded = (text: string): string => text.trim().toLowerCase()

/** Combobox for the values of a filter that occur in records. Matches text or value. */
export function ValuePicker({
  list,
  filter,
  label,
  hint,
  chosen,
  onChange,
}: {
  list: ConsoleListName
  filter: string
  label: string
  hint?: string
  chosen: readonly string[]
  onChange: (values: string[]) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [isWrong, setWrong] = useState(false)
  const other = borrowed[`${list} ${filter}`]
  const [source, of] = other ?? [list, filter]
  const { data } = useValues(source, of, {}, { text: useDeferredValue(typed.trim()), enabled: isOpen })
  const offered = data?.values.filter(({ value }) => !chosen.includes(value)) ?? []
  const type = (text: string) => {
    setTyped(text)
    setWrong(false)
    setActive(-1)
    setOpen(true)
  }
  const add = (value: string) => {
    type('')
    setOpen(false)
    if (!chosen.includes(value)) onChange([...chosen, value])
  }
  /** Adds the value that equals the typed text, or the only one that contains it. */
  const addTyped = async () => {
    const path = valuesPath(source, of, {}, typed.trim())
    // Not through the cache: the query of the suggestions is canceled when the text changes.
    const { values } = await send<ConsoleValues>('GET', path)
    const same = values.find((one) =>
      [one.value, textOf(of, one)].some((each) => folded(each) === folded(typed)),
    )
    const found = same ?? (values.length === 1 ? values[0] : undefined)
    setWrong(found === undefined)
    if (found) add(found.value)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      setOpen(true)
      setActive(Math.min(active + 1, offered.length - 1))
    },
    ArrowUp: () => setActive(Math.max(active - 1, -1)),
    ...(isOpen && { Escape: () => setOpen(false) }),
    ...(typed.trim() !== '' && { Enter: () => void addTyped() }),
    ...(isOpen && offered[active] && { Enter: () => add(offered[active]?.value ?? '') }),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const runKey = keys[event.key]
    if (!runKey) return
    event.preventDefault()
    runKey()
  }
  const activeId = isOpen && offered[active] ? `${id}-${active}` : undefined
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {chosen.length > 0 && (
        <ul className="chips">
          {chosen.map((value) => (
            <li key={value} className="chip">
              <span>
                <ValueText list={source} filter={of} value={value} />
              </span>
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => onChange(chosen.filter((one) => one !== value))}
              >
                <X />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        ref={(input) => input?.setCustomValidity(typed.trim() === '' ? '' : notChosen)}
        className="input"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        aria-describedby={`${id}-hint`}
        aria-invalid={isWrong || undefined}
        autoComplete="off"
        placeholder="Type to find a value"
        maxLength={254}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div
        id={`${id}-list`}
        className="options"
        role="listbox"
        aria-label={`${label}: values`}
        hidden={!isOpen}
      >
        {offered.map((one, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
          <div
            key={one.value}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            tabIndex={-1}
            className="menu-item option"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => add(one.value)}
          >
            <span className="grow">{textOf(of, one)}</span>
            {!other && one.count !== null && <span className="soft small">{countText(one.count)}</span>}
          </div>
        ))}
      </div>
      <p id={`${id}-hint`} className={isWrong ? 'field-error' : 'soft small'} role="status">
        {isWrong
          ? 'No match. Choose a value from the list.'
          : isOpen && data
            ? offeredText(offered.length, data.more)
            : hint}
      </p>
    </div>
  )
}

function offeredText(count: number, more: boolean): string {
  if (count === 0) return 'No results'
  return more
    ? `Showing the first ${count} values. Type to find others.`
    : count === 1
      ? '1 value'
      : `${count} values`
}

/** Custom validity message. Without it, a value that was typed but not chosen would be lost on submit. */
const notChosen = 'Choose a value from the list, or clear this field.'
