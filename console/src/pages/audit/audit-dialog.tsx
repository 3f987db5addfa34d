import type { AuditEntry } from '@muster/contract/console/console-audit'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment } from '../../ui/text/moment.tsx'
import { actorAddress, actorText } from './actor-text.ts'

/** Details of an audit event. */
export function AuditDialog({
  entry: { event, position, hash },
  onClose,
}: {
  entry: AuditEntry
  onClose: () => void
}) {
  const { actor } = event
  const json = JSON.stringify(event, null, 2)
  return (
    <Dialog title={event.friendlyName} onClose={onClose}>
      <p>{event.description}</p>
      <Facts
        facts={[
          ['Actor', actorText(actor)],
          ['Role', actor && 'role' in actor ? labelOf(actor.role) : null],
          ['IP address', actorAddress(actor)],
          ['User agent', actor !== null && 'userAgent' in actor ? actor.userAgent : null],
          ['Time', <FullMoment key="when" seconds={event.timestamp} />],
          ['Sequence number', position.toLocaleString('en-GB')],
          ['Hash', <code key="hash">{hash}</code>],
        ]}
      />
      <pre className="sample">{json}</pre>
      <div className="dialog-actions">
        <CopyButton text={json} label="Copy event" />
        <PushButton kind="primary" onClick={onClose}>
          Close
        </PushButton>
      </div>
    </Dialog>
  )
}
