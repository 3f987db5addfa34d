import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { EmployeeDialog } from './employee-dialog.tsx'

/** Adds an employee and opens their page, where the enrollment link can be created. */
export function AddEmployee() {
  const mayWrite = useHasRole('FULL_ACCESS')
  const navigate = useNavigate()
  const reload = useReload()
  const [adding, setAdding] = useNewDialog('Add employee', mayWrite)
  if (!mayWrite) return null
  return (
    <>
      <PushButton kind="primary" onClick={() => setAdding(true)}>
        <Plus />
        Add employee
      </PushButton>
      {adding && (
        <EmployeeDialog
          onClose={() => setAdding(false)}
          onSaved={async ({ id }) => {
            await navigate({ to: '/employees/$id', params: { id } })
            await reload()
          }}
        />
      )}
    </>
  )
}
