import { IssuedSecret } from '../../ui/dialog/issued-secret.tsx'
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
    <IssuedSecret
      title={`Key “${made.name}”`}
      notice="Copy the key now. It will not be shown again."
      parts={{
        Key: <SecretText text={made.key} label="Copy key" />,
        'Try it': <SecretText text={made.curl} label="Copy command" />,
      }}
      onClose={onClose}
    />
  )
}
