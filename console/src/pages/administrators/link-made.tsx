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
  SMTP: 'The link is on its way by mail. If it does not arrive, pass it on yourself:',
  FILE: 'No mail server is set up, so the mail is a file in the data folder of Muster. Pass the link on yourself:',
  FAILED: 'The mail could not be sent. Pass the link on yourself:',
}

/** A link that was made, shown this once. */
export function LinkMade({ title, made, onClose }: { title: string; made: Made; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{sent[made.sentBy]}</p>
      <SecretText text={made.link} label="Copy the link" />
      <p className="soft small">
        It works once, until <FullMoment seconds={made.expirationTimestamp} />.
      </p>
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          Done
        </PushButton>
      </div>
    </Dialog>
  )
}
