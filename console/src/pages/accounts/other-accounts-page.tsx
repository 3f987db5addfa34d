import { ListPage } from '../../list/list-page.tsx'
import { otherAccountsPlan } from './other-accounts-plan.tsx'

/** List of accounts in apps outside the catalog. */
export const OtherAccountsPage = () => <ListPage plan={otherAccountsPlan} />
