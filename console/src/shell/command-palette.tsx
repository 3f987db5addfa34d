import { useNavigate } from '@tanstack/react-router'
import { AppWindow, Keyboard, type LucideIcon, Moon, Sun, UserRound } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import { useSomeOf } from '../data/lists.ts'
import { nameOf } from '../data/person.ts'
import { Dialog } from '../ui/dialog.tsx'
import { setTheme } from '../ui/theme.ts'
import { places } from './page-places.ts'

interface Entry {
  readonly id: string
  readonly title: string
  readonly remark?: string
  readonly icon: LucideIcon
  readonly run: () => void
}

/** Finds pages, people and apps as one types. */
export function CommandPalette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = useFound(useDeferredValue(text.trim()))
  const go = (to: string) => () => void navigate({ to })
  const actions: Entry[] = [
    ...places.map(({ path, title, icon }) => ({ id: path, title, icon, run: go(path) })),
    { id: 'light', title: 'Theme: light', icon: Sun, run: () => setTheme('light') },
    { id: 'dark', title: 'Theme: dark', icon: Moon, run: () => setTheme('dark') },
    { id: 'help', title: 'Show the keys', icon: Keyboard, run: onHelp },
  ]
  const wanted = text.trim().toLowerCase()
  const entries = [
    ...actions.filter(({ title }) => title.toLowerCase().includes(wanted)),
    ...found.map((entry) => ({ ...entry, run: go(entry.id) })),
  ]
  const at = Math.min(chosen, entries.length - 1)
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label="Search for pages, people and apps"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries[at] ? `${listId}-${at}` : undefined}
        placeholder="Page, person or app"
        autoComplete="off"
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setChosen(Math.min(at + 1, entries.length - 1))
          else if (event.key === 'ArrowUp') setChosen(Math.max(at - 1, 0))
          else if (event.key === 'Enter') run(entries[at])
          else return
          event.preventDefault()
        }}
      />
      <div id={listId} role="listbox" aria-label="Found" className="stack tight">
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="menu-item option"
            onPointerMove={() => setChosen(index)}
            onClick={() => run(entry)}
            onKeyDown={() => undefined}
            ref={(node) => {
              if (index === at) node?.scrollIntoView({ block: 'nearest' })
            }}
          >
            <entry.icon aria-hidden />
            <span className="grow">{entry.title}</span>
            {entry.remark !== undefined && <span className="soft small">{entry.remark}</span>}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="soft">Nothing is called so.</p>}
    </Dialog>
  )
}

function useFound(text: string): Omit<Entry, 'run'>[] {
  const options = { limit: 6, enabled: text.length >= 2 }
  const people = useSomeOf('employees', { search: text }, options)
  const apps = useSomeOf('apps', { search: text }, options)
  if (!options.enabled) return []
  return [
    ...(people.data?.records ?? []).map((person) => ({
      id: `/employees/${person.id}`,
      title: nameOf(person),
      remark: person.email,
      icon: UserRound,
    })),
    ...(apps.data?.records ?? []).map((app) => ({
      id: `/apps/${app.id}`,
      title: app.friendlyName,
      remark: 'App',
      icon: AppWindow,
    })),
  ]
}
