import type { TimeOf } from '@muster/contract/console/csv-columns'
import { Moment } from '../ui/text/moment.tsx'
import { PersonLink } from '../ui/text/person-link.tsx'
import type { Column } from './list-plan.ts'

/** A moment of a record, by which the list can be sorted. */
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

/** When Muster added the record. It can be later than the last use, which browsers may report hours afterwards. */
export const addedColumn = momentColumn('seen', 'Added', 'creationTimestamp')

/** When an account was last used. */
export const usedColumn = momentColumn('used', 'Last used', 'lastUsedTimestamp')

/** Whom a record belongs to. */
export const employeeColumn: Column<{ readonly employeeId: string | null }, 'employeeName'> = {
  id: 'employee',
  csv: 'employeeName',
  title: 'Employee',
  width: 'minmax(140px, 1.3fr)',
  render: ({ employeeId }) => <PersonLink id={employeeId} />,
}
