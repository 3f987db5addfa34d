import { useMutation } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { mailResultText } from './mail-result-text.ts'

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
              ? 'Mail server'
              : 'Files in the “mail” folder of the data folder (no mail server is configured)',
          ],
          ['Sender', from],
        ]}
      />
      <div role="status">
        {sent && (
          <p className={sent.sentBy === 'FAILED' ? 'notice bad' : 'notice good'}>{mailResultText(sent)}</p>
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
