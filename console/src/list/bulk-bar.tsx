import { PushButton } from '../ui/button.tsx'
import { KeyHint } from '../ui/keys/key-hint.tsx'
import type { BulkAction } from './list-plan.ts'

/** What can be done to the records that are marked. */
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
  /** Marks all that have come; left out when they are marked. */
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
