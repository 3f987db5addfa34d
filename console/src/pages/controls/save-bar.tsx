import { PushButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/field.tsx'

/** Below a form with changes that are not saved yet. */
export function SaveBar({
  changed,
  busy,
  error,
  onSave,
  onDrop,
}: {
  changed: boolean
  busy: boolean
  error: unknown
  onSave: () => void
  onDrop: () => void
}) {
  if (!changed && !error) return null
  return (
    <div className="save-bar">
      <FormError error={error} />
      <div className="row wrap">
        <span className="grow soft">{changed ? 'There are changes that are not saved.' : ''}</span>
        <PushButton onClick={onDrop}>Drop the changes</PushButton>
        <PushButton kind="primary" busy={busy} disabled={!changed} onClick={onSave}>
          Save
        </PushButton>
      </div>
    </div>
  )
}
