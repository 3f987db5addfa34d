import type { ControlScope } from '@muster/contract/console/console-controls'
import type { ControlMode } from '@muster/contract/controls'
import { useState } from 'react'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChoiceField } from '../../ui/field.tsx'
import { modeChoices, type ProtectionRule } from './protection-facts.ts'
import { scopeOf } from './scope.ts'
import { ScopeFields } from './scope-fields.tsx'

/** Makes or changes a rule of a protection. */
export function RuleDialog({
  rule,
  isNew,
  onClose,
  onDone,
}: {
  rule: ProtectionRule
  isNew: boolean
  onClose: () => void
  onDone: (rule: ProtectionRule) => void
}) {
  const [mode, setMode] = useState<ControlMode>(rule.mode)
  const [scope, setScope] = useState<ControlScope>(scopeOf(rule))
  return (
    <Dialog title={isNew ? 'Add a rule' : 'Change the rule'} onClose={onClose}>
      <ChoiceField
        label="What is done"
        choices={modeChoices}
        value={mode}
        onChange={(event) => setMode(event.target.value as ControlMode)}
      />
      <ScopeFields scope={scope} onChange={setScope} />
      <div className="dialog-actions">
        <PushButton onClick={onClose}>Cancel</PushButton>
        <PushButton kind="primary" onClick={() => onDone({ ...scopeOf(scope), mode })}>
          {isNew ? 'Add' : 'Take over'}
        </PushButton>
      </div>
    </Dialog>
  )
}
