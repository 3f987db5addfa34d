import type { ControlScope } from '@muster/contract/console/console-controls'
import type { ControlMode } from '@muster/contract/records/controls'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceField } from '../../../ui/form/field.tsx'
import { atOnce, bound, Form } from '../../../ui/form/form.tsx'
import { modeChoices, type ProtectionRule } from './protection-facts.ts'
import { scopeOf } from './scope.ts'
import { ScopeFields } from './scope-fields.tsx'

/** Adds or edits a rule of a protection. */
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
    <Dialog title={isNew ? 'Add rule' : 'Edit rule'} onClose={onClose}>
      <Form
        sending={atOnce(() => onDone({ ...scopeOf(scope), mode }))}
        action={isNew ? 'Add rule' : 'Apply'}
        onCancel={onClose}
      >
        <ChoiceField label="Mode" choices={modeChoices} {...bound(mode, setMode)} />
        <ScopeFields scope={scope} onChange={setScope} />
      </Form>
    </Dialog>
  )
}
