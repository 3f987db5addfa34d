import type { Webhook } from '@muster/contract/console/console-webhooks'
import { useQuery } from '@tanstack/react-query'
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
import { Card, Facts } from '../../ui/page/card.tsx'
import { Crumb } from '../../ui/page/crumb.tsx'
import { NotFoundPage } from '../../ui/page/not-found-page.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { LongText } from '../../ui/text/long-text.tsx'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { HealthCard } from './health-card.tsx'
import { RotateWebhookDialog } from './rotate-webhook-dialog.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { webhookHealth, webhookName } from './webhook-words.ts'
import { subscriptionText } from './webhooks-page.tsx'

/** Page of an endpoint: health, details and delivery log. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false })
  const { data } = useQuery({ queryKey: ['webhooks'], queryFn: () => callConsole('listWebhooks') })
  const webhook = data?.webhooks.find((one) => one.id === id)
  if (data && !webhook) return <NotFoundPage title="Webhook not found" />
  if (!webhook) return null
  return (
    <Page>
      <Crumb path="/webhooks" title="Webhooks" />
      <Endpoint webhook={webhook} />
    </Page>
  )
}

function Endpoint({ webhook }: { webhook: Webhook }) {
  const { id, enabled } = webhook
  const mayWrite = useHasRole('FULL_ACCESS')
  const navigate = useNavigate()
  const reload = useReload()
  const [open, setOpen] = useState<'change' | 'rotate' | 'remove'>()
  const close = () => setOpen(undefined)
  const { text, tone } = webhookHealth(webhook)
  const removed = async () => {
    showToast(`${webhookName(webhook)} removed.`)
    await navigate({ to: '/webhooks' })
    await reload()
  }
  return (
    <>
      <PageHead title={webhookName(webhook)} aside={<Badge tone={tone}>{text}</Badge>}>
        {mayWrite && (
          <>
            <PushButton onClick={() => setOpen('change')}>Edit</PushButton>
            <PushButton onClick={() => setOpen('rotate')}>Rotate secret</PushButton>
            <EnableButton
              enabled={enabled}
              texts={{
                enabled: 'Webhook enabled.',
                disabled: 'Webhook disabled. Events are kept until it is enabled again.',
              }}
              setEnabled={(next) => callConsole('changeWebhook', { id, body: { enabled: next } })}
            />
            <PushButton kind="danger" onClick={() => setOpen('remove')}>
              Remove
            </PushButton>
          </>
        )}
      </PageHead>
      <div className="columns">
        <HealthCard webhook={webhook} />
        <div className="stack">
          <WebhookFacts webhook={webhook} />
          {mayWrite && (
            <Card title="Test">
              <TestDelivery id={id} />
            </Card>
          )}
        </div>
      </div>
      <DeliveryLog id={id} mayWrite={mayWrite} />
      {open === 'change' && <WebhookDialog webhook={webhook} onClose={close} onDone={reload} />}
      {open === 'rotate' && <RotateWebhookDialog webhook={webhook} onClose={close} onRotated={reload} />}
      {open === 'remove' && (
        <Confirm
          title={`Remove “${webhookName(webhook)}”?`}
          action="Remove"
          run={() => callConsole('removeWebhook', { id })}
          onDone={removed}
          onClose={close}
        >
          <p>Its pending events and delivery log are deleted too.</p>
        </Confirm>
      )}
    </>
  )
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { pending, oldestPendingTimestamp, previousSecretEndTimestamp } = webhook
  return (
    <Card title="About">
      <Facts
        facts={[
          [
            'URL',
            <code key="url">
              <LongText text={webhook.url} />
            </code>,
          ],
          ['Events', subscriptionText(webhook)],
          ['Headers', webhook.headerNames.join(', ')],
          ['Pending', pending === 0 ? 'None' : pending.toLocaleString('en-GB')],
          [
            'Oldest pending',
            oldestPendingTimestamp === null ? null : <Moment key="oldest" seconds={oldestPendingTimestamp} />,
          ],
          [
            'Old secret signs until',
            previousSecretEndTimestamp === null ? null : (
              <FullMoment key="overlap" seconds={previousSecretEndTimestamp} />
            ),
          ],
          ['Added', <FullMoment key="added" seconds={webhook.creationTimestamp} />],
          ['Added by', webhook.createdBy],
        ]}
      />
    </Card>
  )
}
