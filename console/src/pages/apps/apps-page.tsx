import { ListPage } from '../../list/list-page.tsx'
import { appsPlan } from './apps-plan.tsx'

/** All apps of the catalog that are used. */
export const AppsPage = () => <ListPage plan={appsPlan} />
