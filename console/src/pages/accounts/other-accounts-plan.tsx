import { addedColumn, employeeColumn, usedColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { OtherAppName } from '../apps/other-app-name.tsx'
import { loginWords } from './login-words.ts'

/** The list of accounts on apps outside the catalog. */
export const otherAccountsPlan: ListPlan<'accountsOther'> = {
  name: 'accountsOther',
  title: 'Accounts (other)',
  counted: ['account', 'accounts'],
  searchHint: 'Search by address',
  quickFilters: ['loginMethod'],
  pathOf: ({ id }) => `/accounts-other/${id}`,
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
      title: 'Signs in by',
      width: 'minmax(140px, 1.2fr)',
      render: ({ loginMethods }) => loginWords(loginMethods).join(', '),
    },
    usedColumn,
    addedColumn,
  ],
  empty: {
    title: 'No such accounts yet',
    text: <p>They appear when people sign in to sites that the catalog does not know.</p>,
  },
}
