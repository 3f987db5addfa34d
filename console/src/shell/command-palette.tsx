import { useLocation, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import { parseSearch } from '../data/list-search.ts'
import { useHasRole } from '../data/session.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { KeyHint } from '../ui/keys/key-hint.tsx'
import { type PaletteEntry, usePaletteGroups } from './palette-entries.ts'

/** Command palette: finds pages and records of the inventory, and runs common actions. */
export function CommandPalette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const mayWrite = useHasRole('FULL_ACCESS')
  const listId = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const [awaited, setAwaited] = useState(false)
  const typed = text.trim()
  const sought = useDeferredValue(typed)
  const { groups, looking: asking } = usePaletteGroups(typed, sought, { path: pathname, mayWrite, onHelp })
  const looking = asking || sought !== typed
  const entries = groups.flatMap((group) => group.entries)
  const at = Math.min(chosen, entries.length - 1)
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    onClose()
    if (entry.path !== undefined) void navigate(targetOf(entry.path))
    entry.run?.()
  }
  // If Enter was pressed while results were loading, open the first one when they arrive.
  useEffect(() => {
    if (!awaited || looking) return
    setAwaited(false)
    run(entries[at])
  })
  return (
    <Dialog title="Search or jump to…" onClose={onClose} palette>
      <div className="palette-field">
        <Search aria-hidden />
        <input
          role="combobox"
          aria-label="Search pages, people, accounts, apps, browsers and detections"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={entries[at] ? `${listId}-${at}` : undefined}
          placeholder="Search people, accounts, apps, hosts, browsers, detections…"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          value={text}
          autoFocus
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
            setAwaited(false)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setChosen(at + 1 < entries.length ? at + 1 : 0)
            else if (event.key === 'ArrowUp') setChosen(at > 0 ? at - 1 : entries.length - 1)
            else if (event.key !== 'Enter') return
            else if (entries.length > 0) run(entries[at])
            else setAwaited(true)
            event.preventDefault()
          }}
        />
        <KeyHint keys="Esc" />
      </div>
      <div id={listId} role="listbox" aria-label="Results" className="palette-list">
        {groups.map(({ heading, entries: of }) => (
          // biome-ignore lint/a11y/useSemanticElements: there is no HTML element for a group of options in a listbox
          <div key={heading} role="group" aria-label={heading}>
            <p className="menu-heading" aria-hidden="true">
              {heading}
            </p>
            {of.map((entry) => (
              <EntryLine
                key={entry.id}
                id={`${listId}-${entries.indexOf(entry)}`}
                entry={entry}
                chosen={entries.indexOf(entry) === at}
                onPoint={() => setChosen(entries.indexOf(entry))}
                onRun={() => run(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="palette-none">{looking ? 'Searching…' : 'No results'}</p>}
    </Dialog>
  )
}

/** Splits a path with a query and a hash, as the router takes it. */
function targetOf(path: string) {
  const [, to = '', query = '', hash] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(path) ?? []
  return { to, search: parseSearch(query), ...(hash !== undefined && { hash }) }
}

function EntryLine({
  id,
  entry: { title, icon: Icon, remark, keys },
  chosen,
  onPoint,
  onRun,
}: {
  id: string
  entry: PaletteEntry
  chosen: boolean
  onPoint: () => void
  onRun: () => void
}) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className="menu-item option"
      onPointerMove={onPoint}
      onClick={onRun}
      onKeyDown={() => undefined}
      ref={(node) => {
        if (chosen) node?.scrollIntoView({ block: 'nearest' })
      }}
    >
      <Icon aria-hidden />
      <span className="palette-title">{title}</span>
      {remark !== undefined && <span className="palette-remark soft small">{remark}</span>}
      {keys?.split(' ').map((key) => (
        <KeyHint key={key} keys={key} />
      ))}
    </div>
  )
}
