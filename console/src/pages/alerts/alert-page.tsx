import type { AlertRule } from '@muster/contract/console/alerts/alert-rule'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { EnableButton } from '../../ui/dialog/enable-button.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Crumb } from '../../ui/page/crumb.tsx'
import { NotFoundPage } from '../../ui/page/not-found-page.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { counted } from '../../ui/text/counted.ts'
import { FullMoment } from '../../ui/text/moment.tsx'
import { AlertDialog } from './alert-dialog.tsx'
import { AlertLog } from './alert-log.tsx'
import { conditionsText, receiverText, ruleState, scheduleText } from './alert-words.ts'

/** Page of an alert rule: conditions, test and delivery log. */
export function AlertPage() {
  const { id = '' } = useParams({ strict: false })
  const { data } = useQuery({ queryKey: ['alerts'], queryFn: () => callConsole('listAlertRules') })
  const rule = data?.rules.find((one) => one.id === id)
  if (data && !rule) return <NotFoundPage title="Alert rule not found" />
  if (!data || !rule) return null
  return (
    <Page>
      <Crumb path="/alerts" title="Alerts" />
      <Rule rule={rule} timeZone={data.timeZone} />
    </Page>
  )
}

function Rule({ rule, timeZone }: { rule: AlertRule; timeZone: string }) {
  const { id, enabled, name } = rule
  const mayWrite = useHasRole('FULL_ACCESS')
  const navigate = useNavigate()
  const reload = useReload()
  const [open, setOpen] = useState<'change' | 'remove'>()
  const close = () => setOpen(undefined)
  const { text, tone } = ruleState(rule)
  const removed = async () => {
    showToast(`${name} removed.`)
    await navigate({ to: '/alerts' })
    await reload()
  }
  return (
    <>
      <PageHead title={name} aside={<Badge tone={tone}>{text}</Badge>}>
        {mayWrite && (
          <>
            <PushButton onClick={() => setOpen('change')}>Edit</PushButton>
            <EnableButton
              enabled={enabled}
              texts={{
                enabled: 'Rule enabled.',
                disabled: 'Rule disabled. What happens meanwhile is not sent later.',
              }}
              setEnabled={(next) => callConsole('changeAlertRule', { id, body: { enabled: next } })}
            />
            <PushButton kind="danger" onClick={() => setOpen('remove')}>
              Remove
            </PushButton>
          </>
        )}
      </PageHead>
      <div className="columns">
        <Card title="Rule">
          <Facts
            facts={[
              ['Events', conditionsText(rule)],
              ['Sent to', receiverText(rule)],
              ['When', scheduleText(rule, timeZone)],
              ['Waiting', rule.waiting === 0 ? 'None' : counted(rule.waiting, 'event')],
              [
                'Next digest',
                rule.nextTimestamp === null ? null : <FullMoment key="next" seconds={rule.nextTimestamp} />,
              ],
              ['Added', <FullMoment key="added" seconds={rule.creationTimestamp} />],
              ['Added by', rule.createdBy],
            ]}
          />
        </Card>
        {mayWrite && (
          <Card title="Test">
            <TestAlert id={id} />
          </Card>
        )}
      </div>
      <AlertLog id={id} mayWrite={mayWrite} />
      {open === 'change' && <AlertDialog rule={rule} onClose={close} onDone={reload} />}
      {open === 'remove' && (
        <Confirm
          title={`Remove “${name}”?`}
          action="Remove"
          run={() => callConsole('removeAlertRule', { id })}
          onDone={removed}
          onClose={close}
        >
          <p>Messages that were not delivered yet and the delivery log are deleted too.</p>
        </Confirm>
      )}
    </>
  )
}

/** Sends a test message and shows the result. */
function TestAlert({ id }: { id: string }) {
  const reload = useReload()
  const test = useMutation({ mutationFn: () => callConsole('testAlertRule', { id }), onSuccess: reload })
  return (
    <div className="stack tight">
      <p className="soft">Sends an invented event to all receivers, even if the rule is disabled.</p>
      <span className="row">
        <PushButton busy={test.isPending} onClick={() => test.mutate()}>
          Send test message
        </PushButton>
      </span>
      <FormError error={test.error} />
      <div role="status">
        {test.data && (
          <p className={test.data.delivered ? 'notice good' : 'notice bad'}>
            {test.data.delivered
              ? 'The test message was accepted.'
              : `The test message was not accepted: ${test.data.error}`}
          </p>
        )}
      </div>
    </div>
  )
}
