import type { EnrollmentToken } from '@muster/contract/console/rollout/console-rollout'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { CheckField } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { counted } from '../../ui/text/counted.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { CoverageCards, useCoverage } from './coverage-cards.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { PolicyFiles } from './policy-files.tsx'

/** Page of the rollout: coverage, enrollment tokens and policy files of managed browsers. */
export function RolloutPage() {
  const client = useQueryClient()
  const mayWrite = useHasRole('FULL_ACCESS')
  const [creating, setCreating] = useNewDialog('Create token', mayWrite)
  const [all, setAll] = useState(false)
  const rollout = useQuery({ queryKey: ['rollout'], queryFn: () => callConsole('readRollout') })
  const coverage = useCoverage()
  // Both are shown at once, so nothing on the page moves.
  const data = coverage.isPending ? undefined : rollout.data
  const tokens = [...(data?.tokens ?? [])].reverse()
  const shown = all ? tokens : tokens.filter(({ revokedTimestamp }) => revokedTimestamp === null)
  const reload = () => void client.invalidateQueries({ queryKey: ['rollout'] })
  const create = mayWrite && (
    <PushButton kind="primary" onClick={() => setCreating(true)}>
      <Plus />
      Create token
    </PushButton>
  )
  return (
    <Page wide>
      <PageHead title="Enrollment">{create}</PageHead>
      <p className="soft">
        Browsers under device management enroll with a token in their policy. The agent is available at{' '}
        <a href="/agent/">/agent/</a>. For a single browser, create a link on the page of the employee.
      </p>
      {data && coverage.data && <CoverageCards coverage={coverage.data} />}
      {data && tokens.length === 0 && (
        <EmptyState title="No enrollment tokens yet">
          <p className="soft">With a token, managed browsers enroll without a link for each employee.</p>
          {create}
        </EmptyState>
      )}
      {tokens.length > 0 && (
        <section className="card">
          <CheckField checked={all} onChange={setAll}>
            Show revoked tokens
          </CheckField>
          <ul className="lines">
            {shown.map((token) => (
              <TokenLine key={token.id} token={token} mayWrite={mayWrite} onChange={reload} />
            ))}
          </ul>
          {shown.length === 0 && <p className="soft">No active tokens</p>}
        </section>
      )}
      {data && (
        <Card title="Policy files" note="Settings of the agent, ready for your device management.">
          <PolicyFiles serverUrl={data.serverUrl} />
        </Card>
      )}
      {creating && data && (
        <CreateTokenDialog serverUrl={data.serverUrl} onClose={() => setCreating(false)} onCreated={reload} />
      )}
    </Page>
  )
}

function TokenLine({
  token: { id, name, uses, creationTimestamp, lastUsedTimestamp, revokedTimestamp },
  mayWrite,
  onChange,
}: {
  token: EnrollmentToken
  mayWrite: boolean
  onChange: () => void
}) {
  const [revoking, setRevoking] = useState(false)
  const isActive = revokedTimestamp === null
  return (
    <li>
      <span className="grow">
        {name}
        <br />
        <span className="soft small">
          created <Moment seconds={creationTimestamp} /> · last used{' '}
          <Moment seconds={lastUsedTimestamp} never="never" /> · {counted(uses, 'browser')} enrolled
        </span>
      </span>
      {isActive ? <Badge tone="good">Active</Badge> : <Badge>Revoked</Badge>}
      {isActive && mayWrite && (
        <PushButton aria-label={`Revoke ${name}`} onClick={() => setRevoking(true)}>
          Revoke
        </PushButton>
      )}
      {revoking && (
        <Confirm
          title={`Revoke “${name}”?`}
          action="Revoke token"
          run={() => callConsole('revokeEnrollmentToken', { id })}
          onDone={onChange}
          onClose={() => setRevoking(false)}
        >
          <p>No more browsers can enroll with this token. Enrolled browsers stay enrolled.</p>
        </Confirm>
      )}
    </li>
  )
}
