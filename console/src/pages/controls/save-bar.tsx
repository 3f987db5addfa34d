import { useBlocker } from '@tanstack/react-router'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormError } from '../../ui/form/field.tsx'
import type { DraftState } from './use-controls.ts'

const isLeft = ({ current, next }: Record<'current' | 'next', { readonly pathname: string }>): boolean =>
  current.pathname !== next.pathname

/** Bar below a form with unsaved changes. Asks before the page or window is left. */
export function SaveBar({ of: { changed, saving, error, save, drop } }: { of: DraftState }) {
  const leaving = useBlocker({ shouldBlockFn: isLeft, disabled: !changed, withResolver: true })
  if (!changed && !error) return null
  return (
    <div className="save-bar">
      <FormError error={error} />
      <div className="row wrap">
        <span className="grow soft">{changed ? 'You have unsaved changes.' : ''}</span>
        <PushButton onClick={drop}>Discard changes</PushButton>
        <PushButton kind="primary" busy={saving} disabled={!changed} onClick={save}>
          Save
        </PushButton>
      </div>
      {leaving.status === 'blocked' && (
        <Dialog title="Discard unsaved changes?" onClose={leaving.reset} narrow>
          <p>Your changes on this page will be lost.</p>
          <div className="dialog-actions">
            <PushButton onClick={leaving.reset}>Stay</PushButton>
            <PushButton kind="danger primary" onClick={leaving.proceed}>
              Leave
            </PushButton>
          </div>
        </Dialog>
      )}
    </div>
  )
}
