import type { App, AppUpdate } from '@muster/contract/app'
import type { Employee } from '@muster/contract/employee'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callRecord } from '../../data/call.ts'
import { Card, Facts } from '../../ui/card.tsx'
import { ChoiceField, TextArea } from '../../ui/field.tsx'
import { bound, Form } from '../../ui/form.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { PersonPicker } from '../../ui/person-picker.tsx'
import { tell } from '../../ui/toasts.tsx'
import { wordsOf } from '../../ui/words.ts'

const notYet = ['', 'Nothing yet'] as const
const choicesOf = (values: readonly string[]) => [
  notYet,
  ...values.map((value) => [value, wordsOf(value)] as const),
]

/** What the organisation decides about an app: approval, sensitivity, owner, notes. */
export function DecisionCard({
  app,
  mayWrite,
  onSaved,
}: {
  app: App
  mayWrite: boolean
  onSaved: () => Promise<void>
}) {
  const [sensitivity, setSensitivity] = useState<string>(app.sensitivityLevel ?? '')
  const [approval, setApproval] = useState<string>(app.approvalStatus ?? '')
  const [ownerId, setOwner] = useState(app.ownerId)
  const [notes, setNotes] = useState(app.notes)
  const save = useMutation({
    mutationFn: () => {
      const given = {
        sensitivityLevel: sensitivity || null,
        approvalStatus: approval || null,
        ownerId,
        notes,
      }
      const changed = Object.entries(given).filter(([member, value]) => value !== app[member as keyof App])
      if (changed.length === 0) return Promise.resolve(app)
      return callRecord('updateApp', { id: app.id, body: Object.fromEntries(changed) as AppUpdate })
    },
    onSuccess: async () => {
      tell('Saved.')
      await onSaved()
    },
  })
  if (!mayWrite)
    return (
      <Card title="Decision">
        <Facts
          facts={[
            ['Approval', app.approvalStatus && wordsOf(app.approvalStatus)],
            ['Sensitivity', app.sensitivityLevel && wordsOf(app.sensitivityLevel)],
            ['Owner', app.ownerId && <PersonLink id={app.ownerId} />],
            ['Notes', app.notes],
          ]}
        />
      </Card>
    )
  return (
    <Card title="Decision">
      <Form sending={save} action="Save">
        <ChoiceField
          label="Approval"
          choices={choicesOf(['UNDER_REVIEW', 'APPROVED', 'NOT_APPROVED'])}
          {...bound(approval, setApproval)}
        />
        <ChoiceField
          label="Sensitivity"
          choices={choicesOf(['HIGH', 'MEDIUM', 'LOW'])}
          {...bound(sensitivity, setSensitivity)}
        />
        <PersonPicker
          label="Owner"
          id={ownerId}
          onChange={(owner: Employee | null) => setOwner(owner?.id ?? null)}
        />
        <TextArea label="Notes" name="notes" maxLength={10_000} {...bound(notes, setNotes)} />
      </Form>
    </Card>
  )
}
