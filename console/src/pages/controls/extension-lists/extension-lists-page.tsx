import '../../../styles/controls-pages.css'
import type { ExtensionUse } from '@muster/contract/console/console-controls'
import type { Controls } from '@muster/contract/records/controls'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../../data/call.ts'
import { useHasRole } from '../../../data/session.ts'
import { SearchField } from '../../../list/search-field.tsx'
import { PushButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { counted } from '../../../ui/text/counted.ts'
import { SaveBar } from '../save-bar.tsx'
import { useControls, useDraft } from '../use-controls.ts'
import { AddExtensionsDialog } from './add-extensions-dialog.tsx'
import { type ExtensionEntry, entriesOf, listsOf, type Risk } from './extension-entries.ts'

/** Maximum number of extensions shown and looked up at a time. */
const shownMaximum = 200

/** Page of blocked extensions and extensions that raise detections. */
export function ExtensionListsPage() {
  const { data } = useControls()
  return (
    <Page>{data ? <ExtensionsForm controls={data.controls} /> : <PageHead title="Extension lists" />}</Page>
  )
}

function ExtensionsForm({ controls }: { controls: Controls }) {
  const mayWrite = useHasRole('FULL_ACCESS')
  const draft = useDraft<readonly ExtensionEntry[]>(entriesOf(controls), listsOf)
  const [adding, setAdding] = useState(false)
  const [typed, setTyped] = useState('')
  const entries = draft.value
  const found = entries.filter(({ extensionId }) =>
    extensionId.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  const shown = found.slice(0, shownMaximum)
  const ids = shown.map(({ extensionId }) => extensionId)
  const uses = useQuery({
    queryKey: ['extension-uses', ids],
    queryFn: () => callConsole('previewExtensions', { body: { extensionIds: ids } }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  const useOf = new Map(uses.data?.extensions.map((use) => [use.extensionId, use]))
  const set = (changed: ExtensionEntry) =>
    draft.set(entries.map((one) => (one.extensionId === changed.extensionId ? changed : one)))
  const add = mayWrite && (
    <PushButton kind="primary" onClick={() => setAdding(true)}>
      <Plus />
      Add extensions
    </PushButton>
  )
  return (
    <>
      <PageHead title="Extension lists">{entries.length > 0 && add}</PageHead>
      <p className="soft">
        Browsers disable blocked extensions. Extensions selected with a risk raise a detection wherever they
        are installed.
      </p>
      {entries.length === 0 ? (
        <EmptyState title="No extensions listed">
          <p className="soft">Add extensions by ID or by store URL.</p>
          {add}
        </EmptyState>
      ) : (
        <section className="card">
          <SearchField hint="Search by ID" text={typed} onText={setTyped} />
          <ul className="lines">
            {shown.map((entry) => (
              <EntryLine
                key={entry.extensionId}
                entry={entry}
                use={useOf.get(entry.extensionId)}
                mayWrite={mayWrite}
                onChange={set}
                onRemove={() =>
                  draft.set(entries.filter(({ extensionId }) => extensionId !== entry.extensionId))
                }
              />
            ))}
          </ul>
          {found.length > shown.length && (
            <p className="soft">
              {(found.length - shown.length).toLocaleString('en-GB')} more. Search to find them.
            </p>
          )}
          {found.length === 0 && <p className="soft">No results</p>}
        </section>
      )}
      <SaveBar of={draft} />
      {adding && (
        <AddExtensionsDialog
          onClose={() => setAdding(false)}
          onAdd={(added) => {
            const others = entries.filter(({ extensionId }) =>
              added.every((one) => one.extensionId !== extensionId),
            )
            draft.set([...added, ...others])
            setAdding(false)
          }}
        />
      )}
    </>
  )
}

function EntryLine({
  entry,
  use,
  mayWrite,
  onChange,
  onRemove,
}: {
  entry: ExtensionEntry
  use: ExtensionUse | undefined
  mayWrite: boolean
  onChange: (entry: ExtensionEntry) => void
  onRemove: () => void
}) {
  const { extensionId, blocked, risk } = entry
  const called = use?.name || extensionId
  return (
    <li>
      <span className="rule-text">
        {use?.name && <>{use.name} </>}
        <code className="soft small">{extensionId}</code>
        <br />
        <Link className="small" to="/extensions/$id" params={{ id: extensionId }}>
          {use ? usedText(use) : '…'}
        </Link>
      </span>
      <label className="check">
        <input
          type="checkbox"
          aria-label={`Block ${called}`}
          disabled={!mayWrite}
          checked={blocked}
          onChange={(event) => onChange({ ...entry, blocked: event.target.checked })}
        />
        Blocked
      </label>
      <select
        className="input fit"
        aria-label={`Risk of ${called}`}
        disabled={!mayWrite}
        value={risk ?? ''}
        onChange={(event) => onChange({ ...entry, risk: (event.target.value || null) as Risk | null })}
      >
        <option value="">No detection</option>
        <option value="HIGH">High risk</option>
        <option value="MEDIUM">Medium risk</option>
        <option value="LOW">Low risk</option>
      </select>
      {mayWrite && (
        <PushButton kind="quiet icon" aria-label={`Remove ${called} from the lists`} onClick={onRemove}>
          <Trash2 />
        </PushButton>
      )}
    </li>
  )
}

const usedText = ({ browsers }: ExtensionUse): string =>
  browsers === 0 ? 'Not installed' : `Installed in ${counted(browsers, 'browser')}`
