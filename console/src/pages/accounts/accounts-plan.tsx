import { appTypeName } from '../../data/app-names.ts'
import { addedColumn, employeeColumn, usedColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { Badge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { RiskBadge } from '../../ui/page/priority-badge.tsx'
import { loginWords } from './login-words.ts'

/** The list of accounts. */
export const accountsPlan: ListPlan<'accounts'> = {
  name: 'accounts',
  title: 'Accounts',
  counted: ['account', 'accounts'],
  searchHint: 'Search by e-mail',
  quickFilters: ['risk', 'mfa', 'loginMethod', 'identity'],
  hiddenFilters: ['appId', 'passwordId'],
  pathOf: ({ id }) => recordPath('/accounts/$id', id),
  nameOf: ({ email, appType }) => `${email} on ${appTypeName(appType)}`,
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
      csv: 'appName',
      title: 'App',
      width: 'minmax(160px, 1.1fr)',
      render: ({ appType }) => <Named name={appTypeName(appType)} of="app" />,
    },
    {
      id: 'risk',
      csv: 'risk',
      title: 'Risk',
      width: '100px',
      sort: 'risk',
      render: ({ risk }) => <RiskBadge risk={risk} />,
    },
    employeeColumn,
    {
      id: 'login',
      csv: 'loginMethodNames',
      title: 'Sign-in methods',
      width: 'minmax(140px, 1.2fr)',
      render: ({ loginMethods }) => loginWords(loginMethods).join(', '),
    },
    {
      id: 'mfa',
      csv: 'mfaRegistered',
      title: 'MFA',
      width: '130px',
      render: ({ mfaRegistered }) => <MfaBadge registered={mfaRegistered} />,
    },
    usedColumn,
    addedColumn,
  ],
  empty: {
    title: 'No accounts yet',
    text: <p>Accounts appear when people sign in to apps in enrolled browsers.</p>,
  },
}

/** MFA state of an account. Null means that it is unknown. */
export function MfaBadge({ registered }: { registered: boolean | null }) {
  if (registered === null) return <span className="soft small">Not checked</span>
  return registered ? <Badge tone="good">Yes</Badge> : <Badge tone="high">No</Badge>
}
