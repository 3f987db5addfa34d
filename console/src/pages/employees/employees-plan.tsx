import { callRecord } from '../../data/call.ts'
import type { ListRecord } from '../../data/lists.ts'
import { personName } from '../../data/person.ts'
import { addedColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { Badge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { RiskBadge } from '../../ui/page/priority-badge.tsx'
import { counted } from '../../ui/text/counted.ts'
import { AddEmployee } from './add-employee.tsx'

const restoreLicense = ({ id, licensed }: ListRecord<'employees'>) =>
  callRecord('updateEmployee', { id, body: { licensed } })

/** Consequence of removing a license. */
export const withoutLicense =
  'Without a license, browsers become dormant: they no longer protect the employee or report.'

/** The list of employees. */
export const employeesPlan: ListPlan<'employees'> = {
  name: 'employees',
  title: 'Employees',
  counted: ['employee', 'employees'],
  searchHint: 'Search by name or e-mail',
  quickFilters: ['risk', 'licensed'],
  hiddenFilters: ['mergedIntoId', 'employeeId', 'appId', 'otherAppId', 'appUsedTimestampAfter'],
  pathOf: ({ id }) => recordPath('/employees/$id', id),
  nameOf: personName,
  columns: [
    {
      id: 'name',
      csv: 'name',
      title: 'Name',
      width: 'minmax(190px, 2fr)',
      sort: 'name',
      render: (employee) => <Named name={personName(employee)} of="person" />,
    },
    {
      id: 'email',
      csv: 'email',
      title: 'E-mail address',
      width: 'minmax(200px, 2fr)',
      sort: 'email',
      render: ({ email }) => email,
    },
    {
      id: 'risk',
      csv: 'risk',
      title: 'Risk',
      width: '100px',
      sort: 'risk',
      render: ({ risk }) => <RiskBadge risk={risk} />,
    },
    {
      id: 'licensed',
      csv: 'licensed',
      title: 'License',
      width: '120px',
      render: ({ licensed }) => (licensed ? <Badge tone="good">Licensed</Badge> : <Badge>None</Badge>),
    },
    {
      id: 'department',
      csv: 'department',
      title: 'Department',
      width: 'minmax(120px, 1fr)',
      render: ({ department }) => department ?? '',
    },
    {
      id: 'location',
      csv: 'location',
      title: 'Location',
      width: 'minmax(110px, 1fr)',
      render: ({ location }) => location ?? '',
    },
    {
      id: 'groups',
      csv: 'groups',
      title: 'Groups',
      width: 'minmax(140px, 1fr)',
      render: ({ groups }) => groups.join(', '),
    },
    addedColumn,
    {
      id: 'addresses',
      csv: 'secondaryEmails',
      title: 'Additional addresses',
      width: 'minmax(160px, 1fr)',
      hidden: true,
      render: ({ secondaryEmails }) => secondaryEmails.join(', '),
    },
  ],
  actions: [
    {
      id: 'license',
      title: 'Assign license',
      run: ({ id }) => callRecord('updateEmployee', { id, body: { licensed: true } }),
      undo: restoreLicense,
      done: (count) => `${counted(count, 'license')} assigned.`,
    },
    {
      id: 'unlicense',
      title: 'Remove license',
      run: ({ id }) => callRecord('updateEmployee', { id, body: { licensed: false } }),
      undo: restoreLicense,
      done: (count) => `${counted(count, 'license')} removed. ${withoutLicense}`,
    },
  ],
  head: <AddEmployee />,
  empty: {
    title: 'No employees yet',
    text: (
      <p>
        Add employees here or through the API, import them with <code>muster import employees.jsonl</code>, or
        enroll managed browsers, which adds people automatically.
      </p>
    ),
  },
}
