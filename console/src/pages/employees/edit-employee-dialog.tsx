import type { Employee } from '@muster/contract/employee'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callRecord } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError, mistakeOf, TextField } from '../../ui/field.tsx'

const members = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['department', 'Department'],
  ['location', 'Location'],
] as const

/** Changes what is known of a person. */
export function EditEmployeeDialog({
  employee,
  onClose,
  onSaved,
}: {
  employee: Employee
  onClose: () => void
  onSaved: () => Promise<void>
}) {
  const [email, setEmail] = useState(employee.email)
  const [values, setValues] = useState(() =>
    Object.fromEntries(members.map(([member]) => [member, employee[member] ?? ''])),
  )
  const save = useMutation({
    mutationFn: () => {
      const texts = members.map(([member]) => [member, values[member]?.trim() || null])
      return callRecord('updateEmployee', {
        id: employee.id,
        body: { ...Object.fromEntries(texts), ...(email === employee.email ? {} : { email }) },
      })
    },
    onSuccess: async () => {
      await onSaved()
      onClose()
    },
  })
  return (
    <Dialog title="Edit the employee" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField
          label="E-mail address"
          type="email"
          required
          error={mistakeOf(save.error, 'email')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        {members.map(([member, label]) => (
          <TextField
            key={member}
            label={label}
            maxLength={256}
            error={mistakeOf(save.error, member)}
            value={values[member]}
            onChange={(event) => setValues({ ...values, [member]: event.target.value })}
          />
        ))}
        <FormError error={save.error} fields={['email', ...members.map(([member]) => member)]} />
        <div className="dialog-actions">
          <PushButton onClick={onClose}>Cancel</PushButton>
          <PushButton kind="primary" type="submit" busy={save.isPending}>
            Save
          </PushButton>
        </div>
      </form>
    </Dialog>
  )
}
