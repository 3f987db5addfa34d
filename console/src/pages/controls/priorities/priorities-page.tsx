import '../../../styles/controls-pages.css'
import type { PriorityRule } from '@muster/contract/risk/console-priority'
import { priorities, priorityScores } from '@muster/contract/risk/risk-levels'
import { pointsLimits } from '@muster/contract/risk/risk-rules'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../../data/call.ts'
import { useReload } from '../../../data/record.ts'
import { useHasRole } from '../../../data/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { PushButton } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/dialog/toasts.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { toneOf } from '../../../ui/text/labels.ts'
import { SaveBar } from '../save-bar.tsx'

/** Page of the rules by which findings get their priority. */
export function PrioritiesPage() {
  const { data } = useQuery({
    queryKey: ['priority-rules'],
    queryFn: () => callConsole('readPriorityRules'),
    refetchInterval: ({ state }) => (state.data?.updating ? 2000 : false),
  })
  return (
    <Page>
      <PageHead
        title="Priorities"
        aside={data?.updating && <span className="soft small">Updating findings…</span>}
      />
      <Card title="Priority of a finding">
        <p>
          Each rule that matches an open finding adds its points. The sum decides the priority:{' '}
          {priorities.map((priority) => (
            <span key={priority}>
              <Badge tone={toneOf(priority)}>{priority}</Badge>{' '}
              <span className="soft">from {priorityScores[priority]} points</span>{' '}
            </span>
          ))}
        </p>
        <p className="soft">
          The risk of an employee, an account or an app follows from its most urgent open finding: P1 is
          critical, P2 high, P3 medium and P4 low.
        </p>
      </Card>
      {data && <RulesForm rules={data.rules} />}
    </Page>
  )
}

type Points = Readonly<Record<string, number>>

function RulesForm({ rules }: { rules: readonly PriorityRule[] }) {
  const mayWrite = useHasRole('FULL_ACCESS')
  const reload = useReload()
  const [points, setPoints] = useState<Points>({})
  const changed = rules.filter(({ rule, points: kept }) => (points[rule] ?? kept) !== kept)
  const change = useMutation({
    mutationFn: () =>
      callConsole('changePriorityRules', {
        body: { rules: changed.map(({ rule, points: kept }) => ({ rule, points: points[rule] ?? kept })) },
      }),
    onSuccess: async () => {
      showToast('Saved. Priorities are being updated.')
      await reload()
      setPoints({})
    },
  })
  const isDefault = rules.every(
    ({ rule, points: kept, defaultPoints }) => (points[rule] ?? kept) === defaultPoints,
  )
  const save = () => {
    if (changed.length > 0 && !change.isPending) change.mutate()
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Card
        title="Rules"
        actions={
          mayWrite && (
            <PushButton
              disabled={isDefault}
              onClick={() =>
                setPoints(Object.fromEntries(rules.map(({ rule, defaultPoints }) => [rule, defaultPoints])))
              }
            >
              Use defaults
            </PushButton>
          )
        }
      >
        <p className="soft">0 turns a rule off. A negative number lowers the priority.</p>
        <div className="threshold-grid">
          {rules.map(({ rule, reason, points: kept, defaultPoints }) => (
            <TextField
              key={rule}
              label={reason}
              hint={`Default: ${defaultPoints}`}
              type="number"
              min={pointsLimits.minimum}
              max={pointsLimits.maximum}
              step={1}
              required
              disabled={!mayWrite}
              value={String(points[rule] ?? kept)}
              onChange={(event) =>
                setPoints((now) => ({ ...now, [rule]: Math.round(event.target.valueAsNumber) || 0 }))
              }
            />
          ))}
        </div>
      </Card>
      <SaveBar
        of={{
          changed: changed.length > 0,
          saving: change.isPending,
          error: change.error,
          save,
          drop: () => {
            setPoints({})
            change.reset()
          },
        }}
      />
    </form>
  )
}
