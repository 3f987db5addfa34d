import { ListPage } from '../../list/list-page.tsx'
import { appsPlan } from './apps-plan.tsx'

/** List of catalog apps in use. */
export const AppsPage = () => <ListPage plan={appsPlan} />
