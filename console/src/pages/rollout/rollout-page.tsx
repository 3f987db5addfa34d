import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { callConsole } from '../../data/call.ts'
import { useHasRole } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { TokenList } from '../../ui/page/token-list.tsx'
import { counted } from '../../ui/text/counted.ts'
import { CoverageCards, useCoverage } from './coverage-cards.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { PolicyFiles } from './policy-files.tsx'

/** Page of the rollout: coverage, enrollment tokens and policy files of managed browsers. */
export function RolloutPage() {
  const client = useQueryClient()
  const mayWrite = useHasRole('FULL_ACCESS')
  const [creating, setCreating] = useNewDialog('Create token', mayWrite)
  const rollout = useQuery({ queryKey: ['rollout'], queryFn: () => callConsole('readRollout') })
  const coverage = useCoverage()
  // Both are shown at once, so nothing on the page moves.
  const data = coverage.isPending ? undefined : rollout.data
  const tokens = data?.tokens ?? []
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
        <TokenList
          tokens={tokens}
          facts={({ uses }) => `${counted(uses, 'browser')} enrolled`}
          mayWrite={mayWrite}
          revoke={(id) => callConsole('revokeEnrollmentToken', { id })}
          effect="No more browsers can enroll with this token. Enrolled browsers stay enrolled."
          onChange={reload}
        />
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
