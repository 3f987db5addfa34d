import type { SavedFilter } from '@muster/contract/console/console-inventory'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../data/call.ts'
import { parseSearch, stringifySearch } from '../data/list-search.ts'
import { PushButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { ActionMenu } from '../ui/dialog/menu.tsx'
import { showToast } from '../ui/dialog/toasts.tsx'
import { useUndoable } from '../ui/dialog/use-undoable.ts'
import { TextField } from '../ui/form/field.tsx'
import { bound, Form } from '../ui/form/form.tsx'

const key = ['saved-filters']

/** Menu of the administrator's saved filters for a list: apply, save and remove. */
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
            text: one.name,
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
  const save = useMutation({
    mutationFn: () => callConsole('saveFilter', { body: { list, name, query } }),
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
              : 'Only visible to you. Replaces a saved filter with the same name.'
          }
          required
          maxLength={64}
          {...bound(name, setName)}
        />
      </Form>
    </Dialog>
  )
}

function ManageDialog({ saved, onClose }: { saved: readonly SavedFilter[]; onClose: () => void }) {
  const change = useUndoable()
  const remove = ({ id, list, name, query }: SavedFilter) =>
    change.mutate({
      text: `“${name}” removed.`,
      run: () => callConsole('removeSavedFilter', { id }),
      undo: () => callConsole('saveFilter', { body: { list, name, query } }),
    })
  return (
    <Dialog title="Saved filters" onClose={onClose} narrow>
      <ul className="lines">
        {saved.map((filter) => (
          <li key={filter.id}>
            <span className="grow">{filter.name}</span>
            <PushButton aria-label={`Remove ${filter.name}`} onClick={() => remove(filter)}>
              Remove
            </PushButton>
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
