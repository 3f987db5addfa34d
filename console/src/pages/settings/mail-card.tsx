import { useMutation } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'

/** Mail settings with a test message. */
export function MailCard({ way, from }: { way: 'SMTP' | 'FILE'; from: string }) {
  const send = useMutation({ mutationFn: () => callConsole('sendTestMail') })
  const sent = send.data
  return (
    <Card title="Mail">
      <Facts
        facts={[
          [
            'Delivery',
            way === 'SMTP'
              ? 'Mail server in MUSTER_SMTP_URL'
              : 'Files in the “mail” folder of the data folder (no mail server is configured)',
          ],
          ['Sender', from],
        ]}
      />
      <div role="status">
        {sent && (
          <p className={sent.sentBy === 'FAILED' ? 'notice bad' : 'notice good'}>
            {sent.sentBy === 'SMTP' &&
              `The mail server accepted the message to ${sent.to}. Check whether it arrives.`}
            {sent.sentBy === 'FILE' && `The message to ${sent.to} was saved as a file in the “mail” folder.`}
            {sent.sentBy === 'FAILED' && `The message to ${sent.to} could not be sent. ${sent.reason ?? ''}`}
          </p>
        )}
      </div>
      <FormError error={send.error} />
      <span className="row">
        <PushButton busy={send.isPending} onClick={() => send.mutate()}>
          Send test message
        </PushButton>
      </span>
    </Card>
  )
}
