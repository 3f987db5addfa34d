import type { Webhook } from '@muster/contract/console/console-webhooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { callConsole } from '../../data/call.ts'
import { objectName } from '../../data/event-kinds.ts'
import { useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { type EventSubscription, subscribesToAll } from './subscription-fields.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { webhookHealth, webhookName } from './webhook-words.ts'

/** Page of webhook endpoints. */
export function WebhooksPage() {
  const mayWrite = useHasRole('FULL_ACCESS')
  const reload = useReload()
  const [adding, setAdding] = useNewDialog('Add webhook', mayWrite)
  const { data } = useQuery({ queryKey: ['webhooks'], queryFn: () => callConsole('listWebhooks') })
  const add = mayWrite && (
    <PushButton kind="primary" onClick={() => setAdding(true)}>
      <Plus />
      Add webhook
    </PushButton>
  )
  return (
    <Page>
      <PageHead title="Webhooks">{data && data.webhooks.length > 0 && add}</PageHead>
      <p className="soft">
        Signed events are sent to each subscribed endpoint and retried after 1, 5 and 15 minutes until they
        are acknowledged.
      </p>
      {data?.allowsPrivate && (
        <p className="notice">
          Private and loopback addresses are allowed by a server setting. Endpoints may be inside your
          network.
        </p>
      )}
      {data?.webhooks.length === 0 && (
        <EmptyState title="No webhooks yet">
          <p className="soft">Send everything that happens here to a SIEM, a chat or a workflow.</p>
          {add}
        </EmptyState>
      )}
      {data && data.webhooks.length > 0 && (
        <section className="card">
          <ul className="lines">
            {data.webhooks.map((webhook) => (
              <WebhookLine key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        </section>
      )}
      {adding && <WebhookDialog onClose={() => setAdding(false)} onDone={reload} />}
    </Page>
  )
}

/** Describes the subscribed events. */
export const subscriptionText = (subscription: EventSubscription): string =>
  subscribesToAll(subscription)
    ? 'All events'
    : [...subscription.categories.map((one) => labelOf(one)), ...subscription.objects.map(objectName)].join(
        ', ',
      )

function WebhookLine({ webhook }: { webhook: Webhook }) {
  const { id, url, pending, dayDelivered, dayFailed } = webhook
  const { text, tone } = webhookHealth(webhook)
  const number = (value: number) => value.toLocaleString('en-GB')
  return (
    <li>
      <span className="rule-text">
        <Link to="/webhooks/$id" params={{ id }}>
          {webhookName(webhook)}
        </Link>
        <br />
        <span className="soft small">
          <code>{url}</code> · {subscriptionText(webhook)}
        </span>
      </span>
      <span className="soft small">
        Last 24 hours: {number(dayDelivered)} acknowledged, {number(dayFailed)} failed
        {pending > 0 && ` · ${number(pending)} pending`}
      </span>
      <Badge tone={tone}>{text}</Badge>
    </li>
  )
}
