import type { App, AppUpdate } from '@muster/contract/records/app'
import type { Employee } from '@muster/contract/records/employee'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callRecord } from '../../data/call.ts'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { ChoiceField, TextArea } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { PersonPicker } from '../../ui/form/person-picker.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { PersonLink } from '../../ui/text/person-link.tsx'

const notYet = ['', 'Not decided'] as const
const choicesOf = (values: readonly string[]) => [
  notYet,
  ...values.map((value) => [value, labelOf(value)] as const),
]

type Approval = NonNullable<App['approvalStatus']>
type Sensitivity = NonNullable<App['sensitivityLevel']>

/** Returns the edits that are still unsaved, including values that were edited again during the save. */
const without = (edits: AppUpdate, saved: AppUpdate): AppUpdate =>
  Object.fromEntries(
    Object.entries(edits).filter(([member, value]) => value !== saved[member as keyof AppUpdate]),
  )

/** Edits the decision about an app: approval, sensitivity, owner, notes. */
export function DecisionCard({
  app,
  mayWrite,
  onSaved,
}: {
  app: App
  mayWrite: boolean
  onSaved: () => Promise<void>
}) {
  // Only edited members, so that concurrent changes of others to the rest are shown and kept.
  const [edits, setEdits] = useState<AppUpdate>({})
  const { approvalStatus, sensitivityLevel, ownerId, notes } = { ...app, ...edits }
  const edit = (change: AppUpdate) => setEdits((before) => ({ ...before, ...change }))
  const save = useMutation({
    mutationFn: async (body: AppUpdate) => {
      if (Object.keys(body).length > 0) await callRecord('updateApp', { id: app.id, body })
    },
    onSuccess: async (_saved, body) => {
      showToast('Saved.')
      await onSaved()
      setEdits((now) => without(now, body))
    },
  })
  if (!mayWrite)
    return (
      <Card title="Decision">
        <Facts
          facts={[
            ['Approval', app.approvalStatus && labelOf(app.approvalStatus)],
            ['Sensitivity', app.sensitivityLevel && labelOf(app.sensitivityLevel)],
            ['Owner', app.ownerId && <PersonLink id={app.ownerId} />],
            ['Notes', app.notes],
          ]}
        />
      </Card>
    )
  return (
    <Card title="Decision">
      <Form sending={{ ...save, mutate: () => save.mutate(edits) }} action="Save">
        <ChoiceField
          label="Approval"
          choices={choicesOf(['UNDER_REVIEW', 'APPROVED', 'NOT_APPROVED'])}
          {...bound<Approval | ''>(approvalStatus ?? '', (value) => edit({ approvalStatus: value || null }))}
        />
        <ChoiceField
          label="Sensitivity"
          choices={choicesOf(['HIGH', 'MEDIUM', 'LOW'])}
          {...bound<Sensitivity | ''>(sensitivityLevel ?? '', (value) =>
            edit({ sensitivityLevel: value || null }),
          )}
        />
        <PersonPicker
          label="Owner"
          id={ownerId}
          onChange={(owner: Employee | null) => edit({ ownerId: owner?.id ?? null })}
        />
        <TextArea
          label="Notes"
          name="notes"
          maxLength={10_000}
          {...bound(notes ?? '', (value) => edit({ notes: value }))}
        />
      </Form>
    </Card>
  )
}
