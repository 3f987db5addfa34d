import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'

/** Shows new recovery codes once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title="Recovery codes" onClose={onClose}>
      <p>
        Each code signs you in once if you lose your authenticator app or passkey. Store them in a safe place.
        They will not be shown again.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} label="Copy recovery codes" />
        <PushButton kind="primary" onClick={onClose}>
          I have saved my codes
        </PushButton>
      </div>
    </Dialog>
  )
}
