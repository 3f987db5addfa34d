import { typeWords } from '../../data/app-names.ts'
import { employeeColumn, momentColumn } from '../../list/common-columns.tsx'
import { usualFilters } from '../../list/list-paths.ts'
import type { ListPlan } from '../../list/list-plan.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { wordsOf } from '../../ui/text/words.ts'

/** The list of findings. Resolved ones are hidden by default. */
export const findingsPlan: ListPlan<'findings'> = {
  name: 'findings',
  title: 'Findings',
  counted: ['finding', 'findings'],
  searchHint: 'Search by person or app',
  quickFilters: ['type', 'state'],
  hiddenFilters: ['accountId', 'appId', 'passwordId'],
  pathOf: ({ id }) => `/findings/${id}`,
  nameOf: ({ type }) => wordsOf(type),
  columns: [
    {
      id: 'type',
      csv: 'type',
      title: 'Finding',
      width: 'minmax(190px, 1.6fr)',
      render: ({ type }) => wordsOf(type),
    },
    employeeColumn,
    {
      id: 'state',
      csv: 'state',
      title: 'State',
      width: '110px',
      render: ({ state }) => <ValueBadge value={state} />,
    },
    {
      id: 'app',
      csv: 'appName',
      title: 'App',
      width: 'minmax(130px, 1fr)',
      render: ({ appType }) => appType !== null && <Named name={typeWords(appType)} of="app" />,
    },
    momentColumn('updated', 'Last updated', 'lastUpdatedTimestamp'),
    momentColumn('seen', 'First seen', 'creationTimestamp'),
  ],
  usual: { ...usualFilters.findings },
  empty: {
    title: 'No open findings',
    text: <p>Weak, leaked and shared passwords, and accounts without a second factor, appear here.</p>,
  },
}
