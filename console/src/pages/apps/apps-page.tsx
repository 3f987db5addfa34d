import { ListPage } from '../../list/list-page.tsx'
import { appsPlan } from './apps-plan.tsx'

/** All apps of the catalogue that are used. */
export const AppsPage = () => <ListPage plan={appsPlan} />
