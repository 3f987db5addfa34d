import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { SavedFilter } from '@muster/contract/console/search/console-saved-filters'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bookmark, Users } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../data/call.ts'
import { parseSearch, stringifySearch } from '../data/list-search.ts'
import { useHasRole } from '../data/session.ts'
import { PushButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { ActionMenu } from '../ui/dialog/menu.tsx'
import { showToast } from '../ui/dialog/toasts.tsx'
import { useUndoable } from '../ui/dialog/use-undoable.ts'
import { TextField } from '../ui/form/field.tsx'
import { bound, CheckField, Form } from '../ui/form/form.tsx'

const key = ['saved-filters']

/** Name of a filter's owner. */
const ownerOf = ({ ownerName }: SavedFilter): string => ownerName ?? 'former administrator'

/** Menu of the saved filters for a list, own and shared ones: apply, save, share and remove. */
export function SavedFilters({ list }: { list: ConsoleListName }) {
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const query = stringifySearch(search).slice(1)
  const [open, setOpen] = useState<'save' | 'forget'>()
  const close = () => setOpen(undefined)
  const { data } = useQuery({ queryKey: key, queryFn: () => callConsole('listSavedFilters') })
  const saved = (data?.filters ?? []).filter((one) => one.list === list)
  return (
    <>
      <ActionMenu
        actions={[
          ...saved.map((one) => ({
            id: one.id,
            text: one.own ? one.name : `${one.name} (${ownerOf(one)})`,
            ...(one.shared && { icon: <Users aria-hidden /> }),
            run: () => void navigate({ to: '.', search: parseSearch(one.query) }),
          })),
          { id: 'save', text: 'Save filters…', run: () => setOpen('save') },
          ...(saved.length > 0
            ? [{ id: 'forget', text: 'Manage saved filters…', run: () => setOpen('forget') }]
            : []),
        ]}
      >
        <Bookmark />
        Saved
      </ActionMenu>
      {open === 'save' && <SaveDialog list={list} query={query} onClose={close} />}
      {open === 'forget' && <ManageDialog saved={saved} onClose={close} />}
    </>
  )
}

function SaveDialog({ list, query, onClose }: { list: ConsoleListName; query: string; onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const mayShare = useHasRole('FULL_ACCESS')
  const save = useMutation({
    mutationFn: () => callConsole('saveFilter', { body: { list, name, query, shared } }),
    onSuccess: () => {
      onClose()
      showToast(`“${name}” saved.`)
      void client.invalidateQueries({ queryKey: key })
    },
  })
  return (
    <Dialog title="Save filters" onClose={onClose} narrow>
      <Form sending={save} action="Save" disabled={query === ''} onCancel={onClose}>
        <TextField
          label="Name"
          name="name"
          hint={
            query === ''
              ? 'Apply a filter, a search or a sort order first.'
              : 'Replaces your saved filter with the same name.'
          }
          required
          maxLength={64}
          {...bound(name, setName)}
        />
        {mayShare ? (
          <CheckField checked={shared} onChange={setShared}>
            Share with all administrators
          </CheckField>
        ) : (
          <p className="soft small">Only visible to you.</p>
        )}
      </Form>
    </Dialog>
  )
}

function ManageDialog({ saved, onClose }: { saved: readonly SavedFilter[]; onClose: () => void }) {
  const change = useUndoable()
  const mayShare = useHasRole('FULL_ACCESS')
  const remove = ({ id, list, name, query, shared }: SavedFilter) =>
    change.mutate({
      text: `“${name}” removed.`,
      run: () => callConsole('removeSavedFilter', { id }),
      undo: () => callConsole('saveFilter', { body: { list, name, query, shared } }),
    })
  const share = ({ id, name }: SavedFilter, shared: boolean) =>
    change.mutate({
      text: shared ? `“${name}” is shared with all administrators.` : `“${name}” is no longer shared.`,
      run: () => callConsole('changeSavedFilter', { id, body: { shared } }),
      undo: () => callConsole('changeSavedFilter', { id, body: { shared: !shared } }),
    })
  return (
    <Dialog title="Saved filters" onClose={onClose}>
      <ul className="lines">
        {saved.map((filter) => (
          <li key={filter.id}>
            <span className="grow stack tight">
              <span>{filter.name}</span>
              <span className="soft small">{sharingText(filter)}</span>
            </span>
            {mayShare && filter.own && !filter.shared && (
              <PushButton aria-label={`Share ${filter.name}`} onClick={() => share(filter, true)}>
                Share
              </PushButton>
            )}
            {filter.shared && filter.ownerName !== null && (filter.own || mayShare) && (
              <PushButton aria-label={`Stop sharing ${filter.name}`} onClick={() => share(filter, false)}>
                Stop sharing
              </PushButton>
            )}
            {(filter.own || (mayShare && filter.ownerName === null)) && (
              <PushButton aria-label={`Remove ${filter.name}`} onClick={() => remove(filter)}>
                Remove
              </PushButton>
            )}
          </li>
        ))}
      </ul>
      {saved.length === 0 && <p className="soft">No saved filters.</p>}
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          Close
        </PushButton>
      </div>
    </Dialog>
  )
}

function sharingText(filter: SavedFilter): string {
  if (!filter.shared) return 'Only visible to you'
  return filter.own ? 'Shared with all administrators' : `Shared by ${ownerOf(filter)}`
}
