import { reasonsOf } from '@muster/contract/risk/risk-rules'
import { appTypeName } from '../../data/app-names.ts'
import { assigneeColumn, employeeColumn, momentColumn } from '../../list/common-columns.tsx'
import { defaultFilters } from '../../list/list-paths.ts'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { PriorityBadge } from '../../ui/page/priority-badge.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { findingWorkDialogs } from '../work/work-dialogs.tsx'

/** The list of findings. Snoozed, accepted and resolved ones are hidden by default. */
export const findingsPlan: ListPlan<'findings'> = {
  name: 'findings',
  title: 'Findings',
  counted: ['finding', 'findings'],
  searchHint: 'Search by person or app',
  quickFilters: ['priority', 'type', 'appSensitivity', 'workStatus'],
  hiddenFilters: ['accountId', 'appId', 'passwordId'],
  pathOf: ({ id }) => recordPath('/findings/$id', id),
  nameOf: ({ type }) => labelOf(type),
  columns: [
    {
      id: 'type',
      csv: 'type',
      title: 'Finding',
      width: 'minmax(190px, 1.6fr)',
      render: ({ type }) => labelOf(type),
    },
    employeeColumn,
    {
      id: 'priority',
      csv: 'priority',
      title: 'Priority',
      width: '92px',
      sort: 'priority',
      render: (finding) => <PriorityBadge {...finding} />,
    },
    {
      id: 'why',
      csv: 'priorityReasonTexts',
      title: 'Why',
      width: 'minmax(160px, 1.8fr)',
      render: ({ priorityReasons }) => reasonsOf(priorityReasons).join(', '),
    },
    {
      id: 'state',
      csv: 'workStatus',
      title: 'Status',
      width: '130px',
      render: ({ workStatus }) => <ValueBadge value={workStatus} />,
    },
    assigneeColumn,
    {
      id: 'app',
      csv: 'appName',
      title: 'App',
      width: 'minmax(130px, 1fr)',
      render: ({ appType }) => appType !== null && <Named name={appTypeName(appType)} of="app" />,
    },
    momentColumn('updated', 'Last updated', 'lastUpdatedTimestamp'),
    momentColumn('seen', 'First seen', 'creationTimestamp'),
  ],
  bulkDialogs: findingWorkDialogs,
  defaults: { ...defaultFilters.findings },
  empty: {
    title: 'Nothing to do',
    text: <p>Weak, leaked and shared passwords, and accounts without a second factor, appear here.</p>,
  },
}
