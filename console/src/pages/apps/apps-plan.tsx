import { callRecord } from '../../data/call.ts'
import type { ListRecord } from '../../data/lists.ts'
import { addedColumn, usedColumn } from '../../list/common-columns.tsx'
import { FigureLink } from '../../list/figure-link.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { RiskBadge } from '../../ui/page/priority-badge.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { PersonLink } from '../../ui/text/person-link.tsx'

type Approval = 'APPROVED' | 'NOT_APPROVED' | 'UNDER_REVIEW'

const decide = (id: string, approvalStatus: Approval | null) =>
  callRecord('updateApp', { id, body: { approvalStatus } })
const restoreDecision = ({ id, approvalStatus }: ListRecord<'apps'>) => decide(id, approvalStatus)

/** The list of apps, those that most people use first. */
export const appsPlan: ListPlan<'apps'> = {
  name: 'apps',
  title: 'Apps',
  counted: ['app', 'apps'],
  searchHint: 'Search by name or website',
  quickFilters: ['category', 'sensitivityLevel', 'approvalStatus', 'signInMethod'],
  presets: [{ title: 'New in the last 30 days', filters: { createdWithin: 'LAST_30_DAYS' } }],
  pathOf: ({ id }) => recordPath('/apps/$id', id),
  nameOf: ({ friendlyName }) => friendlyName,
  columns: [
    {
      id: 'name',
      csv: 'friendlyName',
      title: 'App',
      width: 'minmax(190px, 1.6fr)',
      sort: 'friendlyName',
      render: ({ friendlyName }) => <Named name={friendlyName} of="app" />,
    },
    {
      id: 'category',
      csv: 'categoryName',
      title: 'Category',
      width: 'minmax(135px, 1fr)',
      sort: 'category',
      render: ({ category }) => category && labelOf(category),
    },
    {
      id: 'people',
      csv: 'people',
      title: 'People',
      width: '90px',
      sort: 'people',
      number: true,
      render: ({ id, people }) => <FigureLink count={people} list="employees" filters={{ appId: id }} />,
    },
    {
      id: 'accounts',
      csv: 'accounts',
      title: 'Accounts',
      width: '100px',
      sort: 'accounts',
      number: true,
      render: ({ id, accounts }) => <FigureLink count={accounts} list="accounts" filters={{ appId: id }} />,
    },
    {
      id: 'findings',
      csv: 'openFindings',
      title: 'Open findings',
      width: '128px',
      sort: 'openFindings',
      number: true,
      render: ({ id, openFindings }) => (
        <FigureLink count={openFindings} list="findings" filters={{ appId: id, state: 'OPEN' }} />
      ),
    },
    {
      id: 'risk',
      csv: 'risk',
      title: 'Risk',
      width: '100px',
      sort: 'risk',
      render: ({ risk }) => <RiskBadge risk={risk} />,
    },
    usedColumn,
    {
      id: 'sensitivity',
      csv: 'sensitivityLevel',
      title: 'Sensitivity',
      width: '105px',
      sort: 'sensitivityLevel',
      render: ({ sensitivityLevel }) => <ValueBadge value={sensitivityLevel} />,
    },
    {
      id: 'approval',
      csv: 'approvalStatus',
      title: 'Approval',
      width: '118px',
      sort: 'approvalStatus',
      render: ({ approvalStatus }) => <ValueBadge value={approvalStatus} />,
    },
    {
      id: 'login',
      csv: 'signInMethodNames',
      title: 'Sign-in methods',
      width: 'minmax(125px, 1fr)',
      sort: 'signInMethods',
      render: ({ signInMethods }) => signInMethods.map(labelOf).join(', '),
    },
    {
      id: 'owner',
      csv: 'ownerName',
      title: 'Owner',
      width: 'minmax(130px, 1fr)',
      hidden: true,
      render: ({ ownerId }) => <PersonLink id={ownerId} />,
    },
    {
      id: 'labels',
      csv: 'labels',
      title: 'Labels',
      width: 'minmax(120px, 1fr)',
      hidden: true,
      render: ({ labels }) => labels.join(', '),
    },
    {
      id: 'website',
      csv: 'website',
      title: 'Website',
      width: 'minmax(160px, 1.3fr)',
      hidden: true,
      render: ({ website }) => <span className="soft">{website.replace(/^https?:\/\//, '')}</span>,
    },
    { ...addedColumn, hidden: true },
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
  defaults: { sort: '-people' },
  empty: {
    title: 'No apps yet',
    text: <p>Apps appear when people use apps from the catalog in enrolled browsers.</p>,
  },
}
