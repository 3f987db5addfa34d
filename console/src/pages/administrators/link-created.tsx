import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { SecretText } from '../../ui/text/copy-button.tsx'
import { FullMoment } from '../../ui/text/moment.tsx'

interface Made {
  readonly link: string
  readonly expirationTimestamp: number
  readonly sentBy: 'SMTP' | 'FILE' | 'FAILED'
}

const sent: Readonly<Record<Made['sentBy'], string>> = {
  SMTP: 'The link was sent by e-mail. If it does not arrive, share it yourself:',
  FILE: 'No mail server is configured, so the message was saved as a file in the data folder. Share the link yourself:',
  FAILED: 'The message could not be sent. Share the link yourself:',
}

/** Shows a one-time link once. */
export function LinkCreated({ title, made, onClose }: { title: string; made: Made; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{sent[made.sentBy]}</p>
      <SecretText text={made.link} label="Copy link" />
      <p className="soft small">
        Works once. Expires <FullMoment seconds={made.expirationTimestamp} />.
      </p>
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          Done
        </PushButton>
      </div>
    </Dialog>
  )
}
