import type { AuditEntry, AuditPage as TrailPage } from '@muster/contract/console/console-audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf, send } from '../../data/console-send.ts'
import { objectChoices } from '../../data/event-kinds.ts'
import { type ListSearch, listQuery, valuesOf } from '../../data/list-search.ts'
import { errorShownInPlace } from '../../data/missing-data.ts'
import { useHasRole } from '../../data/session.ts'
import { saveFile } from '../../list/save-file.ts'
import { SearchField } from '../../list/search-field.tsx'
import { PushButton } from '../../ui/button.tsx'
import { ActionMenu, ChoiceMenu } from '../../ui/dialog/menu.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { UnknownFilters } from '../../ui/page/unknown-filters.tsx'
import { FullMoment } from '../../ui/text/moment.tsx'
import { actorAddress, actorText } from './actor-text.ts'
import { AuditDialog } from './audit-dialog.tsx'
import { auditSubject } from './audit-subject.ts'
import { TimeRange } from './time-range.tsx'

const path = '/console/api/audit'
const known = new Set(['timestampAfter', 'timestampBefore', 'object', 'actor', 'search'])

/** Audit trail with filters and export. */
export function AuditPage() {
  const mayRead = useHasRole('FULL_ACCESS')
  return (
    <Page wide>
      <PageHead title="Audit trail" />
      {mayRead ? <Trail /> : <EmptyState title="Viewing the audit trail requires full access" />}
    </Page>
  )
}

function Trail() {
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const set = (change: ListSearch) =>
    void navigate({ to: '.', search: { ...search, ...change }, replace: true })
  const query = listQuery(search, known)
  const trail = useInfiniteQuery({
    queryKey: ['audit', query.toString()],
    queryFn: ({ pageParam, signal }) => {
      const paged = new URLSearchParams(query)
      if (pageParam !== null) paged.set('cursor', pageParam)
      return send<TrailPage>('GET', `${path}?${paged}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    meta: errorShownInPlace,
  })
  const [shown, setShown] = useState<AuditEntry>()
  const entries = trail.data?.pages.flatMap(({ records }) => records) ?? []
  const save = (format: 'csv' | 'jsonl') => () => {
    const asked = new URLSearchParams(query)
    asked.set('format', format)
    const oneEvent = new URLSearchParams(query)
    oneEvent.set('limit', '1')
    void saveFile(`${path}/export?${asked}`, `${path}?${oneEvent}`)
  }
  return (
    <>
      <p className="soft">
        A permanent record of every change made by administrators, API keys and the command line. Each event
        includes the hash of the one before it; <code>muster audit verify</code> detects tampering.
      </p>
      <div className="tools">
        <SearchField
          hint="Search events"
          text={valuesOf(search, 'search')[0] ?? ''}
          onText={(text) => set({ search: text || undefined })}
        />
        <SearchField
          hint="Search by actor"
          text={valuesOf(search, 'actor')[0] ?? ''}
          onText={(text) => set({ actor: text || undefined })}
        />
        <ChoiceMenu
          heading="Action"
          choices={objectChoices(['AUDIT'])}
          chosen={valuesOf(search, 'object')}
          onChange={(objects) => set({ object: objects.length > 0 ? objects : undefined })}
        >
          Action
        </ChoiceMenu>
        <TimeRange search={search} onChange={set} />
        <span className="grow" />
        <ActionMenu
          actions={[
            { id: 'csv', text: 'CSV', run: save('csv') },
            { id: 'jsonl', text: 'JSON Lines (with hash chain)', run: save('jsonl') },
          ]}
        >
          <Download />
          Export
        </ActionMenu>
      </div>
      <UnknownFilters search={search} known={known} onSearch={set} />
      {trail.error && <p className="notice bad">{messageOf(trail.error)}</p>}
      {trail.data && entries.length === 0 && !trail.hasNextPage && (
        <EmptyState title={query.size > 0 ? 'No results' : 'No events yet'} />
      )}
      {entries.length > 0 && (
        <section className="card">
          <ul className="lines">
            {entries.map((entry) => (
              <AuditLine key={entry.position} entry={entry} onOpen={() => setShown(entry)} />
            ))}
          </ul>
        </section>
      )}
      {trail.hasNextPage && (
        <span className="row">
          <PushButton busy={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
            Load more
          </PushButton>
        </span>
      )}
      {shown && <AuditDialog entry={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function AuditLine({ entry: { event }, onOpen }: { entry: AuditEntry; onOpen: () => void }) {
  const address = actorAddress(event.actor)
  return (
    <li>
      <span className="rule-text">
        <PushButton kind="link" onClick={onOpen}>
          {event.friendlyName}
        </PushButton>
        <br />
        <span className="soft small">{auditSubject(event) || event.description}</span>
      </span>
      <span className="rule-text">
        {actorText(event.actor)}
        {address !== undefined && (
          <>
            <br />
            <span className="soft small">from {address}</span>
          </>
        )}
      </span>
      <span className="soft small">
        <FullMoment seconds={event.timestamp} />
      </span>
    </li>
  )
}
