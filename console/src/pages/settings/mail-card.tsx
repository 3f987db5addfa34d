import { useMutation } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'

/** How mails are sent, and a mail to see whether they arrive. */
export function MailCard({ way, from }: { way: 'SMTP' | 'FILE'; from: string }) {
  const send = useMutation({ mutationFn: () => callConsole('sendTestMail') })
  const sent = send.data
  return (
    <Card title="Mail">
      <Facts
        facts={[
          [
            'Goes to',
            way === 'SMTP'
              ? 'the mail server of MUSTER_SMTP_URL'
              : 'files in the folder “mail” of the data folder: no mail server is set',
          ],
          ['Sender', from],
        ]}
      />
      <div role="status">
        {sent && (
          <p className={sent.sentBy === 'FAILED' ? 'notice bad' : 'notice good'}>
            {sent.sentBy === 'SMTP' && `The mail server took the mail to ${sent.to}. See whether it arrives.`}
            {sent.sentBy === 'FILE' && `The mail to ${sent.to} was written to a file of the folder “mail”.`}
            {sent.sentBy === 'FAILED' && `The mail to ${sent.to} could not be sent. ${sent.reason ?? ''}`}
          </p>
        )}
      </div>
      <FormError error={send.error} />
      <span className="row">
        <PushButton busy={send.isPending} onClick={() => send.mutate()}>
          Send me a test mail
        </PushButton>
      </span>
    </Card>
  )
}
