import '../../../styles/controls-pages.css'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { callConsole, callRecord } from '../../../data/call.ts'
import { messageOf } from '../../../data/console-send.ts'
import { type ListRecord, useCount, useList } from '../../../data/lists.ts'
import { useHasRole } from '../../../data/session.ts'
import { SearchField } from '../../../list/search-field.tsx'
import { PushButton } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/dialog/toasts.tsx'
import { useNewDialog } from '../../../ui/dialog/use-new-dialog.ts'
import { useUndoable } from '../../../ui/dialog/use-undoable.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { counted } from '../../../ui/text/counted.ts'
import { LongText } from '../../../ui/text/long-text.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { ReachLine } from '../protections/scope-fields.tsx'
import { TypedConfirm } from '../typed-confirm.tsx'
import { BlockUrlsDialog } from './block-urls-dialog.tsx'

/** Page of blocked addresses. */
export function BlockedUrlsPage() {
  const client = useQueryClient()
  const mayWrite = useHasRole('FULL_ACCESS')
  const [text, setText] = useState('')
  const [adding, setAdding] = useNewDialog('Block addresses', mayWrite)
  const [deleting, setDeleting] = useState(false)
  const search: Record<string, string> = text === '' ? {} : { search: text }
  const list = useList('blockedUrls', search)
  const count = useCount('blockedUrls', {})
  const records = list.data?.pages.flatMap((page) => page.records) ?? []
  const total = count.data?.count ?? 0
  const totalText = counted(total, 'pattern', 'patterns', count.data?.more)
  const reload = async () => {
    await client.invalidateQueries({ queryKey: ['list', 'blockedUrls'] })
    await client.invalidateQueries({ queryKey: ['count', 'blockedUrls'] })
  }
  const add = mayWrite && (
    <PushButton kind="primary" onClick={() => setAdding(true)}>
      <Plus />
      Block addresses
    </PushButton>
  )
  const none = count.data && total === 0
  return (
    <Page>
      <PageHead title="Blocked addresses" aside={count.data && <span className="soft">{totalText}</span>}>
        {mayWrite && total > 0 && (
          <PushButton kind="danger" onClick={() => setDeleting(true)}>
            Delete all
          </PushButton>
        )}
        {!none && add}
      </PageHead>
      <p className="soft">
        Browsers show a block page instead, even offline. Changes apply at the next check-in (up to 5
        minutes).
      </p>
      {none ? (
        <EmptyState title="No blocked addresses">
          <p className="soft">Block a host, all its subdomains or single paths, or paste a list.</p>
          {add}
        </EmptyState>
      ) : (
        <>
          <ReachLine scope={{}} ofApps={false} />
          <section className="card">
            <SearchField hint="Search blocked addresses" text={text} onText={setText} />
            <ul className="lines">
              {records.map((record) => (
                <BlockedLine key={record.id} record={record} mayWrite={mayWrite} />
              ))}
            </ul>
            {list.data && records.length === 0 && <p className="soft">No results</p>}
            {list.isFetchNextPageError && <p className="notice bad">{messageOf(list.error)}</p>}
            {list.hasNextPage && (
              <PushButton busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Load more
              </PushButton>
            )}
          </section>
        </>
      )}
      {adding && <BlockUrlsDialog onClose={() => setAdding(false)} onAdded={reload} />}
      {deleting && (
        <TypedConfirm
          title="Delete all blocked addresses?"
          word="delete all"
          action="Delete all"
          run={async () => {
            const gone = await callRecord('deleteBlockedUrls')
            showToast(`${gone.count.toLocaleString('en-GB')} deleted.`)
          }}
          onDone={reload}
          onClose={() => setDeleting(false)}
        >
          <p>This deletes {totalText}. Browsers will open these addresses again.</p>
        </TypedConfirm>
      )}
    </Page>
  )
}

function BlockedLine({
  record: { id, url, creationTimestamp },
  mayWrite,
}: {
  record: ListRecord<'blockedUrls'>
  mayWrite: boolean
}) {
  const change = useUndoable()
  const remove = () =>
    change.mutate({
      text: `${url.slice(0, 100)} is no longer blocked.`,
      run: () => callConsole('deleteBlockedUrl', { id }),
      undo: () => callConsole('addBlockedUrls', { body: { patterns: [url] } }),
    })
  return (
    <li>
      <code className="grow">
        <LongText text={url} />
      </code>
      <span className="soft small">
        <Moment seconds={creationTimestamp} />
      </span>
      {mayWrite && (
        <PushButton
          kind="quiet icon"
          aria-label={`Unblock ${url.slice(0, 200)}`}
          busy={change.isPending}
          onClick={remove}
        >
          <Trash2 />
        </PushButton>
      )}
    </li>
  )
}
