import type { TimeOf } from '@muster/contract/console/csv-columns'
import { Moment } from '../ui/text/moment.tsx'
import { PersonLink } from '../ui/text/person-link.tsx'
import type { Column } from './list-plan.ts'

/** A sortable time column. */
export const momentColumn = <M extends `${string}Timestamp`>(
  id: string,
  title: string,
  member: M,
): Column<Readonly<Record<M, number | null>>, TimeOf<M>> => ({
  id,
  title,
  width: '130px',
  csv: member.replace(/stamp$/, '') as TimeOf<M>,
  sort: member,
  time: true,
  render: (record) => <Moment seconds={record[member]} />,
})

/** Creation time. It can be later than the last use, because browsers may report hours afterwards. */
export const addedColumn = momentColumn('seen', 'Added', 'creationTimestamp')

/** Time of last use. */
export const usedColumn = momentColumn('used', 'Last used', 'lastUsedTimestamp')

/** The administrator who works on a record. */
export const assigneeColumn: Column<{ readonly assigneeName: string | null }, 'assigneeName'> = {
  id: 'assignee',
  csv: 'assigneeName',
  title: 'Assignee',
  width: '140px',
  render: ({ assigneeName }) => assigneeName,
}

/** The employee of a record. */
export const employeeColumn: Column<{ readonly employeeId: string | null }, 'employeeName'> = {
  id: 'employee',
  csv: 'employeeName',
  title: 'Employee',
  width: 'minmax(140px, 1.3fr)',
  render: ({ employeeId }) => <PersonLink id={employeeId} />,
}
