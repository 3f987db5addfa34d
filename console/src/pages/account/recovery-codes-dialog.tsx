import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'

/** Shows new recovery codes, this once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title="Recovery codes" onClose={onClose}>
      <p>
        With each of these you can sign in once when app and passkey are lost. Keep them where others cannot
        read them: they are not shown again.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} label="Copy the recovery codes" />
        <PushButton kind="primary" onClick={onClose}>
          I have kept them
        </PushButton>
      </div>
    </Dialog>
  )
}
