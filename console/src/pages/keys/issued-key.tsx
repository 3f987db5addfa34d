import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { SecretText } from '../../ui/text/copy-button.tsx'

/** Shows a new key once, with a sample command. */
export function IssuedKey({
  made,
  onClose,
}: {
  made: { readonly name: string; readonly key: string; readonly curl: string }
  onClose: () => void
}) {
  return (
    <Dialog title={`Key “${made.name}”`} onClose={onClose}>
      <p className="notice warn">Copy the key now. It will not be shown again.</p>
      <div className="stack tight">
        <h3>Key</h3>
        <SecretText text={made.key} label="Copy key" />
      </div>
      <div className="stack tight">
        <h3>Try it</h3>
        <SecretText text={made.curl} label="Copy command" />
      </div>
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          I have copied it
        </PushButton>
      </div>
    </Dialog>
  )
}
