import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { appTypeName } from '../../../data/app-names.ts'
import { ValueBadge } from '../../../ui/badge.tsx'
import { PushButton } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/dialog/toasts.tsx'
import { type DraftLock, useChoices, useEdited } from '../use-controls.ts'
import type { ProtectionRule } from './protection-facts.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { moved, scopeText } from './scope.ts'

/** Ordered rules of a protection. */
export function RuleList({
  of,
  rules,
  draft,
  mayWrite,
  onChange,
}: {
  of: string
  rules: readonly ProtectionRule[]
  /** Draft that contains the rules. */
  draft: DraftLock
  mayWrite: boolean
  onChange: (rules: ProtectionRule[]) => void
}) {
  const { edited, edit, close } = useEdited(draft)
  const { data } = useChoices()
  const appName = (type: string) =>
    data?.products.find(({ appType }) => appType === type)?.friendlyName ?? appTypeName(type)
  return (
    <div className="stack tight">
      {rules.length > 0 && (
        <ol className="lines">
          {rules.map((rule, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no IDs, only positions
            <li key={index}>
              <span className="soft">{index + 1}.</span>
              <span className="rule-text">{scopeText(rule, appName)}</span>
              <ValueBadge value={rule.mode} />
              {mayWrite && (
                <OrderButtons
                  what={`rule ${index + 1} of ${of}`}
                  index={index}
                  count={rules.length}
                  onMove={(to) => onChange(moved(rules, index, to))}
                  onEdit={() => edit(index)}
                  onRemove={() => onChange(rules.filter((_, at) => at !== index))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {mayWrite && (
        <span className="row">
          <PushButton aria-label={`Add rule to ${of}`} onClick={() => edit(rules.length)}>
            <Plus />
            Add rule
          </PushButton>
        </span>
      )}
      {edited !== undefined && (
        <RuleDialog
          rule={rules[edited] ?? { mode: 'WARN' }}
          isNew={edited === rules.length}
          onClose={close}
          onDone={(rule) => {
            onChange(edited === rules.length ? [...rules, rule] : rules.with(edited, rule))
            close()
          }}
        />
      )}
    </div>
  )
}

/** Buttons that move, edit and remove an element of an ordered list. */
export function OrderButtons({
  what,
  index,
  count,
  onMove,
  onEdit,
  onRemove,
}: {
  what: string
  index: number
  count: number
  onMove: (to: number) => void
  onEdit: () => void
  onRemove: () => void
}) {
  const move = (by: 1 | -1) => (event: React.MouseEvent<HTMLElement>) => {
    const list = event.currentTarget.closest('ol, ul')
    onMove(index + by)
    showToast(`Moved to position ${index + by + 1} of ${count}. Save to apply.`)
    // Move the focus along, so the next press moves the same element.
    requestAnimationFrame(() => {
      const [up, down] = list?.children[index + by]?.querySelectorAll<HTMLButtonElement>('.button') ?? []
      const [sameWay, otherWay] = by < 0 ? [up, down] : [down, up]
      const next = sameWay?.disabled ? otherWay : sameWay
      next?.focus()
    })
  }
  return (
    <span className="row">
      <PushButton kind="quiet icon" aria-label={`Move ${what} up`} disabled={index === 0} onClick={move(-1)}>
        <ArrowUp />
      </PushButton>
      <PushButton
        kind="quiet icon"
        aria-label={`Move ${what} down`}
        disabled={index === count - 1}
        onClick={move(1)}
      >
        <ArrowDown />
      </PushButton>
      <PushButton kind="quiet icon" aria-label={`Edit ${what}`} onClick={onEdit}>
        <Pencil />
      </PushButton>
      <PushButton
        kind="quiet icon"
        aria-label={`Remove ${what}`}
        onClick={() => {
          onRemove()
          showToast('Removed. Save to apply.')
        }}
      >
        <Trash2 />
      </PushButton>
    </span>
  )
}
