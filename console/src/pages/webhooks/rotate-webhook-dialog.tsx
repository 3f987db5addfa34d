import type { Webhook } from '@muster/contract/console/console-webhooks'
import { useMutation } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { IssuedWebhook } from './issued-webhook.tsx'
import { webhookName } from './webhook-words.ts'

/** Rotates the secret of an endpoint and shows the new one. */
export function RotateWebhookDialog({
  webhook,
  onClose,
  onRotated,
}: {
  webhook: Webhook
  onClose: () => void
  onRotated: () => Promise<unknown>
}) {
  const rotate = useMutation({
    mutationFn: () => callConsole('rotateWebhook', { id: webhook.id }),
    onSuccess: () => void onRotated(),
  })
  if (rotate.data) return <IssuedWebhook issued={rotate.data} onClose={onClose} />
  return (
    <Dialog title={`Rotate secret of “${webhookName(webhook)}”`} onClose={onClose}>
      <Form sending={rotate} action="Create new secret" onCancel={onClose}>
        <p>
          Events are signed with the old and the new secret for 24 hours. Update the receiver within that
          time.
        </p>
      </Form>
    </Dialog>
  )
}
