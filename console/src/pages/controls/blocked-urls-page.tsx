import '../../styles/controls-pages.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { callConsole, callRecord } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { type ListRecord, useCount, useList } from '../../data/lists.ts'
import { useMay } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { tell } from '../../ui/toasts.tsx'
import { BlockUrlsDialog } from './block-urls-dialog.tsx'
import { ReachLine } from './scope-fields.tsx'
import { TypedConfirm } from './typed-confirm.tsx'

/** The addresses that browsers must not open. */
export function BlockedUrlsPage() {
  const client = useQueryClient()
  const mayWrite = useMay('FULL_ACCESS')
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<'add' | 'delete'>()
  const text = useDeferredValue(typed.trim())
  const search: Record<string, string> = text === '' ? {} : { search: text }
  const list = useList('blockedUrls', search)
  const count = useCount('blockedUrls', {})
  const records = list.data?.pages.flatMap((page) => page.records) ?? []
  const total = count.data?.count ?? 0
  const totalText = `${total.toLocaleString('en-GB')}${count.data?.more ? '+' : ''}`
  const reload = async () => {
    await client.invalidateQueries({ queryKey: ['list', 'blockedUrls'] })
    await client.invalidateQueries({ queryKey: ['count', 'blockedUrls'] })
  }
  const add = mayWrite && (
    <PushButton kind="primary" onClick={() => setOpen('add')}>
      <Plus />
      Block addresses
    </PushButton>
  )
  const none = count.data && total === 0
  return (
    <Page>
      <PageHead
        title="Blocked addresses"
        aside={
          count.data && (
            <span className="soft">
              {totalText} {total === 1 ? 'pattern' : 'patterns'}
            </span>
          )
        }
      >
        {mayWrite && total > 0 && (
          <PushButton kind="danger" onClick={() => setOpen('delete')}>
            Delete all
          </PushButton>
        )}
        {!none && add}
      </PageHead>
      <p className="soft">
        Browsers show a page of ours in place of these addresses, also when they are offline. It is in force
        at a browser’s next report.
      </p>
      {none ? (
        <EmptyState title="No address is blocked">
          <p className="soft">Block a host, all hosts below it, or single paths; or paste a whole list.</p>
          {add}
        </EmptyState>
      ) : (
        <>
          <ReachLine scope={{}} ofApps={false} />
          <section className="card">
            <input
              type="search"
              className="input"
              aria-label="Search the blocked addresses"
              placeholder="Search"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <ul className="lines">
              {records.map((record) => (
                <BlockedLine key={record.id} record={record} mayWrite={mayWrite} onGone={reload} />
              ))}
            </ul>
            {list.data && records.length === 0 && <p className="soft">No pattern holds this text.</p>}
            {list.error && <p className="notice bad">{messageOf(list.error)}</p>}
            {list.hasNextPage && (
              <PushButton busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show more
              </PushButton>
            )}
          </section>
        </>
      )}
      {open === 'add' && <BlockUrlsDialog onClose={() => setOpen(undefined)} onAdded={reload} />}
      {open === 'delete' && (
        <TypedConfirm
          title="Delete all blocked addresses?"
          word="delete all"
          action="Delete all"
          run={async () => {
            const gone = await callRecord('deleteBlockedUrls')
            tell(`${gone.count.toLocaleString('en-GB')} deleted.`)
            await reload()
          }}
          onClose={() => setOpen(undefined)}
        >
          <p>{totalText} patterns are deleted, and browsers open these addresses again.</p>
        </TypedConfirm>
      )}
    </Page>
  )
}

function BlockedLine({
  record: { id, url, creationTimestamp },
  mayWrite,
  onGone,
}: {
  record: ListRecord<'blockedUrls'>
  mayWrite: boolean
  onGone: () => Promise<void>
}) {
  const remove = useMutation({
    mutationFn: () => callConsole('deleteBlockedUrl', { id }),
    onSuccess: onGone,
    onError: (error) => tell(messageOf(error), true),
  })
  return (
    <li>
      <code className="grow">{url}</code>
      <span className="soft small">
        <Moment seconds={creationTimestamp} />
      </span>
      {mayWrite && (
        <PushButton
          kind="quiet icon"
          aria-label={`Stop blocking ${url}`}
          busy={remove.isPending}
          onClick={() => remove.mutate()}
        >
          <Trash2 />
        </PushButton>
      )}
    </li>
  )
}
