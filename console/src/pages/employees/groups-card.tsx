import type { Employee } from '@muster/contract/records/employee'
import { callRecord } from '../../data/call.ts'
import { TagEditor } from '../../ui/form/tag-editor.tsx'

/** Groups of an employee. */
export function GroupsCard({
  employee: { id, groups },
  fixed,
  mayWrite,
}: {
  employee: Employee
  /** Groups that only the directory changes. */
  fixed: readonly string[]
  mayWrite: boolean
}) {
  return (
    <TagEditor
      title="Groups"
      one="group"
      tags={groups}
      fixed={fixed}
      maxLength={128}
      mayWrite={mayWrite}
      add={(group) => callRecord('addEmployeeToGroup', { id, body: { group } })}
      remove={(group) => callRecord('deleteEmployeeFromGroup', { id, body: { group } })}
    />
  )
}
