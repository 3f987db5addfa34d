import { ListPage } from '../../list/list-page.tsx'
import { otherAccountsPlan } from './other-accounts-plan.tsx'

/** All accounts on apps outside the catalog. */
export const OtherAccountsPage = () => <ListPage plan={otherAccountsPlan} />
