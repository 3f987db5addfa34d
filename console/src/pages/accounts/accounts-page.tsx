import { ListPage } from '../../list/list-page.tsx'
import { accountsPlan } from './accounts-plan.tsx'

/** List of accounts in catalog apps. */
export const AccountsPage = () => <ListPage plan={accountsPlan} />
