import { PushButton } from '../button.tsx'
import { useUndoable } from './use-undoable.ts'

interface EnableButtonProps {
  readonly enabled: boolean
  /** Announcements of the change. */
  readonly texts: { readonly enabled: string; readonly disabled: string }
  readonly setEnabled: (enabled: boolean) => Promise<unknown>
}

/** Enables or disables something at a click, and offers to undo it. */
export function EnableButton({ enabled, texts, setEnabled }: EnableButtonProps) {
  const change = useUndoable()
  const toggle = () =>
    change.mutate({
      text: enabled ? texts.disabled : texts.enabled,
      run: () => setEnabled(!enabled),
      undo: () => setEnabled(enabled),
    })
  return (
    <PushButton kind={enabled ? '' : 'primary'} busy={change.isPending} onClick={toggle}>
      {enabled ? 'Disable' : 'Enable'}
    </PushButton>
  )
}
