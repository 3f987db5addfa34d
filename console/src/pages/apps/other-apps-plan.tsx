import { addedColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'

/** The list of apps outside the catalog. */
export const otherAppsPlan: ListPlan<'appsOther'> = {
  name: 'appsOther',
  title: 'Unrecognized apps',
  counted: ['app', 'apps'],
  searchHint: 'Search by domain',
  quickFilters: ['requestSupportStatus'],
  pathOf: ({ id }) => recordPath('/apps-other/$id', id),
  nameOf: ({ domain }) => domain,
  columns: [
    {
      id: 'domain',
      csv: 'domain',
      title: 'Domain',
      width: 'minmax(200px, 2fr)',
      render: ({ domain }) => domain,
    },
    {
      id: 'status',
      csv: 'requestSupportStatus',
      title: 'Status',
      width: '140px',
      render: ({ requestSupportStatus }) => <ValueBadge value={requestSupportStatus} />,
    },
    {
      id: 'hidden',
      csv: 'hidden',
      title: 'Hidden',
      width: '110px',
      hidden: true,
      render: ({ hidden }) => (hidden ? <Badge>Hidden</Badge> : 'No'),
    },
    addedColumn,
  ],
  empty: {
    title: 'No unrecognized apps yet',
    text: <p>Apps appear here when people sign in to sites that are not in the catalog.</p>,
  },
}
