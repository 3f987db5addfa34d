import type { App } from '@muster/contract/records/app'
import { callRecord } from '../../data/call.ts'
import { useRecord, useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { useUndoable } from '../../ui/dialog/use-undoable.ts'
import { TagEditor } from '../../ui/form/tag-editor.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { Related } from '../../ui/page/related.tsx'
import { ExternalLink } from '../../ui/text/external-link.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment } from '../../ui/text/moment.tsx'
import { AccountRow } from '../accounts/account-row.tsx'
import { FindingRow } from '../findings/finding-row.tsx'
import { DecisionCard } from './decision-card.tsx'

/** Page of an app: decision, accounts and findings. */
export function AppPage() {
  const query = useRecord('getApp')
  return (
    <RecordPage query={query} list={{ path: '/apps', title: 'Apps' }}>
      {(app) => <AppRecord app={app} />}
    </RecordPage>
  )
}

function AppRecord({ app }: { app: App }) {
  const { id, labels, website, approvalStatus } = app
  const reload = useReload()
  const mayWrite = useHasRole('FULL_ACCESS')
  const change = useUndoable()
  const setStatus = (status: App['approvalStatus']) => () =>
    callRecord('updateApp', { id, body: { approvalStatus: status } })
  /** Toggles a decision: pressing the current one withdraws it. */
  const decide = (status: 'APPROVED' | 'NOT_APPROVED') => {
    const next = status === approvalStatus ? null : status
    const text = next === null ? 'Decision withdrawn.' : `${labelOf(next)}.`
    change.mutate({ text, run: setStatus(next), undo: setStatus(approvalStatus) })
  }
  return (
    <>
      <PageHead
        title={app.friendlyName}
        mark={<Monogram name={app.friendlyName} of="app" large />}
        aside={approvalStatus && <ValueBadge value={approvalStatus} />}
      >
        {mayWrite && (
          <>
            <PushButton
              kind={approvalStatus === 'APPROVED' ? 'on' : 'primary'}
              aria-pressed={approvalStatus === 'APPROVED'}
              busy={change.isPending}
              onClick={() => decide('APPROVED')}
            >
              Approve
            </PushButton>
            <PushButton
              kind={approvalStatus === 'NOT_APPROVED' ? 'on' : ''}
              aria-pressed={approvalStatus === 'NOT_APPROVED'}
              busy={change.isPending}
              onClick={() => decide('NOT_APPROVED')}
            >
              Reject
            </PushButton>
          </>
        )}
      </PageHead>
      {app.description !== '' && <p className="soft">{app.description}</p>}
      <div className="columns">
        <div className="stack">
          <Related
            title="Accounts"
            list="accounts"
            search={{ appId: id, sort: '-lastUsedTimestamp' }}
            none="No accounts"
          >
            {(account) => <AccountRow account={account} />}
          </Related>
          <Related
            title="Open findings"
            list="findings"
            search={{ appId: id, state: 'OPEN' }}
            none="No open findings"
          >
            {(finding) => <FindingRow finding={finding} />}
          </Related>
        </div>
        <div className="stack">
          <DecisionCard key={id} app={app} mayWrite={mayWrite} onSaved={reload} />
          <TagEditor
            title="Labels"
            one="label"
            tags={labels}
            maxLength={64}
            mayWrite={mayWrite}
            add={(label) => callRecord('addAppLabel', { id, body: { label } })}
            remove={(label) => callRecord('deleteAppLabel', { id, body: { label } })}
          />
          <Card title="About">
            <Facts
              facts={[
                ['Website', <ExternalLink key="website" url={website} />],
                ['Type', <code key="type">{app.type}</code>],
                ['Added', <FullMoment key="seen" seconds={app.creationTimestamp} />],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  )
}
