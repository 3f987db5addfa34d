import { typeWords } from '../../data/app-names.ts'
import type { ListPlan } from '../../list/list-plan.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { wordsOf } from '../../ui/words.ts'

/** The queue of findings. */
export const findingsPlan: ListPlan<'findings'> = {
  name: 'findings',
  title: 'Findings',
  counted: ['finding', 'findings'],
  searchHint: 'Search by app',
  quickFilters: ['type', 'state'],
  hiddenFilters: ['employeeId', 'accountId', 'appId', 'passwordId'],
  pathOf: ({ id }) => `/findings/${id}`,
  nameOf: ({ type }) => wordsOf(type),
  columns: [
    { id: 'type', title: 'Finding', width: 'minmax(190px, 1.6fr)', render: ({ type }) => wordsOf(type) },
    {
      id: 'employee',
      title: 'Employee',
      width: 'minmax(150px, 1.3fr)',
      render: ({ employeeId }) => <PersonLink id={employeeId} />,
    },
    { id: 'state', title: 'State', width: '110px', render: ({ state }) => <ValueBadge value={state} /> },
    {
      id: 'app',
      title: 'App',
      width: 'minmax(130px, 1fr)',
      render: ({ appType }) => (appType === null ? '' : typeWords(appType)),
    },
    {
      id: 'updated',
      title: 'Changed',
      width: '140px',
      sort: 'lastUpdatedTimestamp',
      render: ({ lastUpdatedTimestamp }) => <Moment seconds={lastUpdatedTimestamp} />,
    },
    {
      id: 'seen',
      title: 'First found',
      width: '140px',
      sort: 'creationTimestamp',
      render: ({ creationTimestamp }) => <Moment seconds={creationTimestamp} />,
    },
  ],
  empty: {
    title: 'No findings',
    text: <p>Weak, leaked and shared passwords, and accounts without a second factor, appear here.</p>,
  },
}
