import type { Employee } from '@muster/contract/records/employee'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callRecord } from '../../data/call.ts'
import { changedMembers } from '../../data/changed-members.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'

const members = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['department', 'Department'],
  ['location', 'Location'],
] as const

type Values = Readonly<Record<string, string>> & { readonly email: string }

const bodyOf = (values: Values) => ({
  ...Object.fromEntries(members.map(([member]) => [member, values[member]?.trim() || null])),
  email: values.email,
})

/** Edits or adds an employee. */
export function EmployeeDialog({
  employee,
  managed = [],
  onClose,
  onSaved,
}: {
  /** Omitted for a new employee. */
  employee?: Employee
  /** Members that only the directory changes. */
  managed?: readonly string[]
  onClose: () => void
  onSaved: (saved: Employee) => Promise<void>
}) {
  // Values when the dialog was opened. The record may be reloaded meanwhile.
  const [opened] = useState<Values>(() => ({
    ...Object.fromEntries(members.map(([member]) => [member, employee?.[member] ?? ''])),
    email: employee?.email ?? '',
  }))
  const [values, setValues] = useState(opened)
  const fieldOf = (member: string) => ({
    ...bound(values[member] ?? '', (value) => setValues({ ...values, [member]: value })),
    ...(managed.includes(member) ? { readOnly: true, hint: 'Managed by your directory.' } : {}),
  })
  const save = useMutation({
    mutationFn: async () => {
      if (!employee) return callRecord('addEmployee', { body: bodyOf(values) })
      const changed = changedMembers(bodyOf(opened), bodyOf(values))
      if (Object.keys(changed).length === 0) return employee
      return callRecord('updateEmployee', { id: employee.id, body: changed })
    },
    onSuccess: (saved) => {
      onClose()
      void onSaved(saved)
    },
  })
  return (
    <Dialog title={employee ? 'Edit employee' : 'Add employee'} onClose={onClose}>
      <Form sending={save} action={employee ? 'Save' : 'Add employee'} onCancel={onClose}>
        <TextField
          label="E-mail address"
          name="email"
          inputMode="email"
          autoCapitalize="none"
          required
          {...fieldOf('email')}
        />
        {members.map(([member, label]) => (
          <TextField key={member} label={label} name={member} maxLength={256} {...fieldOf(member)} />
        ))}
      </Form>
    </Dialog>
  )
}
