import { employeeColumn, momentColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { Badge } from '../../ui/badge.tsx'
import { labelOf } from '../../ui/text/labels.ts'

/** The list of browsers. */
export const browsersPlan: ListPlan<'browsers'> = {
  name: 'browsers',
  title: 'Browsers',
  counted: ['browser', 'browsers'],
  searchHint: 'Search by e-mail',
  quickFilters: ['browser', 'os', 'isActive'],
  pathOf: ({ id }) => recordPath('/browsers/$id', id),
  nameOf: ({ browser, email }) => `${labelOf(browser)} of ${email}`,
  columns: [
    {
      id: 'browser',
      csv: 'browserName',
      title: 'Browser',
      width: 'minmax(150px, 1.2fr)',
      render: ({ browser, version }) => `${labelOf(browser)} ${version.split('.')[0]}`,
    },
    employeeColumn,
    momentColumn('online', 'Last online', 'lastOnlineTimestamp'),
    { id: 'os', csv: 'os', title: 'OS', width: '110px', render: ({ os }) => labelOf(os) },
    {
      id: 'active',
      csv: 'isActive',
      title: 'Status',
      width: '100px',
      render: ({ isActive }) => (isActive ? <Badge tone="good">Active</Badge> : <Badge>Inactive</Badge>),
    },
    {
      id: 'token',
      csv: 'tokenType',
      title: 'Enrolled by',
      width: '120px',
      render: ({ tokenType }) => (tokenType === 'MANAGED' ? 'Policy' : 'Link'),
    },
    {
      id: 'agent',
      csv: 'extensionVersion',
      title: 'Agent',
      width: '100px',
      render: ({ extensionVersion }) => extensionVersion,
    },
    {
      id: 'email',
      csv: 'email',
      title: 'E-mail address',
      width: 'minmax(180px, 1.3fr)',
      hidden: true,
      render: ({ email }) => email,
    },
    {
      id: 'version',
      csv: 'version',
      title: 'Full version',
      width: '140px',
      hidden: true,
      render: ({ version }) => version,
    },
    {
      id: 'profile',
      csv: 'profileEmail',
      title: 'Profile',
      width: 'minmax(160px, 1fr)',
      hidden: true,
      render: ({ profileEmail }) => profileEmail ?? '',
    },
    momentColumn('seen', 'Enrolled', 'creationTimestamp'),
  ],
  empty: {
    title: 'No browsers yet',
    text: (
      <p>
        Send employees an enrollment link from their page, or deploy the agent by policy. Instructions are at
        /agent/.
      </p>
    ),
  },
}
