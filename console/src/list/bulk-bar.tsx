import { PushButton } from '../ui/button.tsx'
import { KeyHint } from '../ui/keys/key-hint.tsx'
import type { BulkAction } from './list-plan.ts'

/** Actions for the selected records. */
export function BulkBar<R>({
  count,
  actions,
  busy,
  onRun,
  onAll,
  onClear,
}: {
  count: number
  actions: readonly BulkAction<R>[]
  busy: boolean
  onRun: (action: BulkAction<R>) => void
  /** Selects all loaded records; undefined if all are selected. */
  onAll: (() => void) | undefined
  onClear: () => void
}) {
  return (
    <section className="bulk" aria-label="Selected records">
      <strong className="nowrap">{count} selected</strong>
      {actions.map((action) => (
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
      <PushButton kind="quiet" onClick={onClear}>
        Clear selection
      </PushButton>
    </section>
  )
}
