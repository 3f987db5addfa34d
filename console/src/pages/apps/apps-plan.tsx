import { callRecord } from '../../data/call.ts'
import type { ListRecord } from '../../data/lists.ts'
import { addedColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'

type Approval = 'APPROVED' | 'NOT_APPROVED' | 'UNDER_REVIEW'

const decide = (id: string, approvalStatus: Approval | null) =>
  callRecord('updateApp', { id, body: { approvalStatus } })
const restoreDecision = ({ id, approvalStatus }: ListRecord<'apps'>) => decide(id, approvalStatus)

/** The list of apps. */
export const appsPlan: ListPlan<'apps'> = {
  name: 'apps',
  title: 'Apps',
  counted: ['app', 'apps'],
  searchHint: 'Search by name or website',
  quickFilters: ['approvalStatus', 'sensitivityLevel'],
  pathOf: ({ id }) => recordPath('/apps/$id', id),
  nameOf: ({ friendlyName }) => friendlyName,
  columns: [
    {
      id: 'name',
      csv: 'friendlyName',
      title: 'App',
      width: 'minmax(170px, 1.6fr)',
      sort: 'friendlyName',
      render: ({ friendlyName }) => <Named name={friendlyName} of="app" />,
    },
    {
      id: 'approval',
      csv: 'approvalStatus',
      title: 'Approval',
      width: '140px',
      render: ({ approvalStatus }) => <ValueBadge value={approvalStatus} />,
    },
    {
      id: 'sensitivity',
      csv: 'sensitivityLevel',
      title: 'Sensitivity',
      width: '110px',
      render: ({ sensitivityLevel }) => <ValueBadge value={sensitivityLevel} />,
    },
    {
      id: 'owner',
      csv: 'ownerName',
      title: 'Owner',
      width: 'minmax(130px, 1fr)',
      render: ({ ownerId }) => <PersonLink id={ownerId} />,
    },
    {
      id: 'labels',
      csv: 'labels',
      title: 'Labels',
      width: 'minmax(120px, 1fr)',
      render: ({ labels }) => labels.join(', '),
    },
    {
      id: 'website',
      csv: 'website',
      title: 'Website',
      width: 'minmax(160px, 1.3fr)',
      render: ({ website }) => <span className="soft">{website.replace(/^https?:\/\//, '')}</span>,
    },
    addedColumn,
    {
      id: 'notes',
      csv: 'notes',
      title: 'Notes',
      width: 'minmax(160px, 1fr)',
      hidden: true,
      render: ({ notes }) => notes,
    },
  ],
  actions: [
    {
      id: 'approve',
      title: 'Approve',
      key: 'a',
      run: ({ id }) => decide(id, 'APPROVED'),
      undo: restoreDecision,
      done: (count) => `${count} approved.`,
    },
    {
      id: 'review',
      title: 'Under review',
      key: 'u',
      run: ({ id }) => decide(id, 'UNDER_REVIEW'),
      undo: restoreDecision,
      done: (count) => `${count} under review.`,
    },
    {
      id: 'refuse',
      title: 'Reject',
      key: 'n',
      run: ({ id }) => decide(id, 'NOT_APPROVED'),
      undo: restoreDecision,
      done: (count) => `${count} not approved.`,
    },
  ],
  empty: {
    title: 'No apps yet',
    text: <p>Apps appear when people use apps from the catalog in enrolled browsers.</p>,
  },
}
