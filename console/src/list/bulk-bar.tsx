import { PushButton } from '../ui/button.tsx'
import { KeyHint } from '../ui/keys/key-hint.tsx'
import type { BulkAction, BulkDialog } from './list-plan.ts'

/** Actions for the selected records. */
export function BulkBar<R>({
  count,
  actions,
  dialogs,
  matching,
  busy,
  onRun,
  onDialog,
  onAll,
  onMatching,
  onClear,
}: {
  count: number
  actions: readonly BulkAction<R>[]
  dialogs: readonly BulkDialog[]
  /** True if all records that match the filters are selected. */
  matching: boolean
  busy: boolean
  onRun: (action: BulkAction<R>) => void
  onDialog: (dialog: BulkDialog) => void
  /** Selects all loaded records; undefined if all are selected. */
  onAll: (() => void) | undefined
  /** Selects all records that match the filters, also those that are not loaded. */
  onMatching: (() => void) | undefined
  onClear: () => void
}) {
  return (
    <section className="bulk" aria-label="Selected records">
      <strong className="nowrap">{matching ? 'All matching selected' : `${count} selected`}</strong>
      {dialogs.map((dialog) => (
        <PushButton key={dialog.id} onClick={() => onDialog(dialog)}>
          {dialog.title}
        </PushButton>
      ))}
      {(matching ? [] : actions).map((action) => (
        <PushButton key={action.id} busy={busy} onClick={() => onRun(action)}>
          {action.title}
          {action.key !== undefined && <KeyHint keys={action.key} />}
        </PushButton>
      ))}
      {onAll && (
        <PushButton kind="quiet" onClick={onAll}>
          Select all
        </PushButton>
      )}
      {onMatching && (
        <PushButton kind="quiet" onClick={onMatching}>
          Select all that match
        </PushButton>
      )}
      <PushButton kind="quiet" onClick={onClear}>
        Clear selection
      </PushButton>
    </section>
  )
}
