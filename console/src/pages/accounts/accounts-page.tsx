import { ListPage } from '../../list/list-page.tsx'
import { accountsPlan } from './accounts-plan.tsx'

/** All accounts on apps of the catalog. */
export const AccountsPage = () => <ListPage plan={accountsPlan} />
