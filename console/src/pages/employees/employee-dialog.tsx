import type { Employee } from '@muster/contract/employee'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callRecord } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { bound, Form } from '../../ui/form.tsx'

const members = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['department', 'Department'],
  ['location', 'Location'],
] as const

/** Changes what is known of a person, or adds one. */
export function EmployeeDialog({
  employee,
  onClose,
  onSaved,
}: {
  /** Left out for a new one. */
  employee?: Employee
  onClose: () => void
  onSaved: (saved: Employee) => Promise<void>
}) {
  const [email, setEmail] = useState(employee?.email ?? '')
  const [values, setValues] = useState(() =>
    Object.fromEntries(members.map(([member]) => [member, employee?.[member] ?? ''])),
  )
  const save = useMutation({
    mutationFn: () => {
      const texts = Object.fromEntries(members.map(([member]) => [member, values[member]?.trim() || null]))
      if (!employee) return callRecord('addEmployee', { body: { ...texts, email } })
      const body = { ...texts, ...(email === employee.email ? {} : { email }) }
      return callRecord('updateEmployee', { id: employee.id, body })
    },
    onSuccess: (saved) => {
      onClose()
      void onSaved(saved)
    },
  })
  return (
    <Dialog title={employee ? 'Edit the employee' : 'Add an employee'} onClose={onClose}>
      <Form sending={save} action={employee ? 'Save' : 'Add'} onCancel={onClose}>
        <TextField label="E-mail address" name="email" type="email" required {...bound(email, setEmail)} />
        {members.map(([member, label]) => (
          <TextField
            key={member}
            label={label}
            name={member}
            maxLength={256}
            {...bound(values[member] ?? '', (value) => setValues({ ...values, [member]: value }))}
          />
        ))}
      </Form>
    </Dialog>
  )
}
