import { addedColumn, employeeColumn, usedColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { OtherAppName } from '../apps/other-app-name.tsx'
import { loginWords } from './login-words.ts'

/** The list of accounts on apps outside the catalog. */
export const otherAccountsPlan: ListPlan<'accountsOther'> = {
  name: 'accountsOther',
  title: 'Unrecognized accounts',
  counted: ['account', 'accounts'],
  searchHint: 'Search by e-mail',
  quickFilters: ['loginMethod'],
  pathOf: ({ id }) => recordPath('/accounts-other/$id', id),
  nameOf: ({ email }) => email,
  columns: [
    {
      id: 'email',
      csv: 'email',
      title: 'Account',
      width: 'minmax(200px, 2fr)',
      render: ({ email }) => email,
    },
    {
      id: 'app',
      csv: 'otherAppDomain',
      title: 'App',
      width: 'minmax(150px, 1.3fr)',
      render: ({ otherAppId }) => <OtherAppName id={otherAppId} />,
    },
    employeeColumn,
    {
      id: 'login',
      csv: 'loginMethodNames',
      title: 'Sign-in methods',
      width: 'minmax(140px, 1.2fr)',
      render: ({ loginMethods }) => loginWords(loginMethods).join(', '),
    },
    usedColumn,
    addedColumn,
  ],
  empty: {
    title: 'No unrecognized accounts yet',
    text: <p>Accounts appear here when people sign in to sites that are not in the catalog.</p>,
  },
}
