import { type Webhook, webhookBatchMaximum } from '@muster/contract/console/console-webhooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { changedMembers } from '../../data/changed-members.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextArea, TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { IssuedWebhook } from './issued-webhook.tsx'
import { type EventSubscription, SubscriptionFields, subscribesToAll } from './subscription-fields.tsx'
import { headersIn } from './webhook-words.ts'

/** Adds an endpoint and shows its secret, or edits one. */
export function WebhookDialog({
  webhook,
  onClose,
  onDone,
}: {
  /** Undefined for a new endpoint. */
  webhook?: Webhook
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [name, setName] = useState(webhook?.name ?? '')
  const [subscription, setSubscription] = useState<EventSubscription | undefined>(
    webhook && !subscribesToAll(webhook) ? webhook : undefined,
  )
  const [batchSize, setBatchSize] = useState(String(webhook?.batchSize ?? 1))
  const [text, setText] = useState('')
  const { headers, wrongLines } = headersIn(text)
  const typed = typedOf(url, name, subscription, batchSize)
  // Values when the dialog was opened. The webhook may be reloaded meanwhile.
  const [opened] = useState(typed)
  const send = useMutation({
    mutationFn: async () => {
      const ofHeaders = headers.length > 0 ? { headers } : {}
      const { events, ...texts } = typed
      if (!webhook) return callConsole('addWebhook', { body: { ...texts, ...events, ...ofHeaders } })
      const { events: otherEvents, ...others } = changedMembers(opened, typed)
      const body = { ...others, ...otherEvents, ...ofHeaders }
      if (Object.keys(body).length > 0) await callConsole('changeWebhook', { id: webhook.id, body })
      return undefined
    },
    onSuccess: (issued) => {
      if (!issued) onClose()
      void onDone()
    },
  })
  if (send.data) return <IssuedWebhook issued={send.data} onClose={onClose} />
  const kept = webhook?.headerNames ?? []
  return (
    <Dialog title={webhook ? 'Edit webhook' : 'Add webhook'} onClose={onClose}>
      <Form
        sending={send}
        action={webhook ? 'Save' : 'Add webhook'}
        disabled={wrongLines.length > 0 || (subscription !== undefined && subscribesToNothing(subscription))}
        onCancel={onClose}
      >
        <TextField
          label="URL"
          name="url"
          type="url"
          hint="Each event is sent to it as a JSON POST request over HTTPS."
          required
          maxLength={2048}
          {...bound(url, setUrl)}
        />
        <TextField
          label="Name"
          name="name"
          hint="The system that receives the events (optional)."
          maxLength={128}
          {...bound(name, setName)}
        />
        <SubscriptionFields subscription={subscription} onChange={setSubscription} />
        <TextField
          label="Batch size"
          name="batchSize"
          type="number"
          hint="Events per request. 1 sends each event by itself; with more, up to 500, the body is an array."
          required
          min={1}
          max={webhookBatchMaximum}
          {...bound(batchSize, setBatchSize)}
        />
        <TextArea
          label="Custom headers"
          name="headers"
          hint={
            kept.length > 0
              ? `Leave empty to keep ${kept.join(', ')}. Headers entered here replace all of them.`
              : 'One per line, for example “Authorization: Bearer …”. Stored encrypted and not shown again.'
          }
          rows={2}
          spellCheck={false}
          error={wrongLines.length > 0 ? `No valid header in line ${wrongLines.join(', ')}.` : undefined}
          {...bound(text, setText)}
        />
      </Form>
    </Dialog>
  )
}

/** Returns the form values. Categories and objects form one member, because only both together define the subscription. */
const typedOf = (
  url: string,
  name: string,
  subscription: EventSubscription | undefined,
  batchSize: string,
) => ({
  url: url.trim(),
  name: name.trim() || null,
  batchSize: Number(batchSize),
  events: { categories: [...(subscription?.categories ?? [])], objects: [...(subscription?.objects ?? [])] },
})

const subscribesToNothing = ({ categories, objects }: EventSubscription): boolean =>
  categories.length === 0 && objects.length === 0
