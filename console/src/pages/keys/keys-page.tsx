import type { ConsoleKey } from '@muster/contract/console/console-keys'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { CheckField } from '../../ui/form/form.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { nowSeconds } from '../../ui/text/moment-text.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'

const soonSeconds = 14 * 86_400

/** Page of API keys. */
export function KeysPage() {
  const client = useQueryClient()
  const mayWrite = useHasRole('FULL_ACCESS')
  const [creating, setCreating] = useNewDialog('Create key', mayWrite)
  const [all, setAll] = useState(false)
  const { data } = useQuery({ queryKey: ['keys'], queryFn: () => callConsole('listKeys') })
  const keys = [...(data?.keys ?? [])].reverse()
  const shown = all ? keys : keys.filter(({ state }) => state === 'ACTIVE')
  const create = mayWrite && (
    <PushButton kind="primary" onClick={() => setCreating(true)}>
      <Plus />
      Create key
    </PushButton>
  )
  return (
    <Page>
      <PageHead title="API keys">{create}</PageHead>
      <p className="soft">
        Programs call <code>/v1</code> with a key. The reference is at <a href="/docs">/docs</a>.
      </p>
      {data && keys.length === 0 && (
        <EmptyState title="No keys yet">
          <p className="soft">A key lets a program read the inventory and, with full access, change it.</p>
          {create}
        </EmptyState>
      )}
      {keys.length > 0 && (
        <section className="card">
          <CheckField checked={all} onChange={setAll}>
            Show expired and revoked keys
          </CheckField>
          <ul className="lines">
            {shown.map((key) => (
              <KeyLine key={key.id} apiKey={key} />
            ))}
          </ul>
          {shown.length === 0 && <p className="soft">No active keys</p>}
        </section>
      )}
      {creating && (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={() => void client.invalidateQueries({ queryKey: ['keys'] })}
        />
      )}
    </Page>
  )
}

function KeyLine({ apiKey: key }: { apiKey: ConsoleKey }) {
  const ends = key.expiryTimestamp
  const endsSoon = key.state === 'ACTIVE' && ends !== null && ends - nowSeconds() < soonSeconds
  return (
    <li>
      <span className="grow">
        <Link to="/keys/$id" params={{ id: key.id }}>
          {key.name}
        </Link>{' '}
        <code className="soft">{key.start}…</code>
        <br />
        <span className="soft small">
          {key.holder} · created <Moment seconds={key.creationTimestamp} /> · last used{' '}
          <Moment seconds={key.lastUsedTimestamp} never="never" />
        </span>
      </span>
      {endsSoon && (
        <Badge tone="medium">
          Expires <Moment seconds={ends} />
        </Badge>
      )}
      <Badge tone={key.permission === 'FULL_ACCESS' ? 'accent' : ''}>{labelOf(key.permission)}</Badge>
      <ValueBadge value={key.state} />
    </li>
  )
}
