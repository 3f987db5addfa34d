import { ListPage } from '../../list/list-page.tsx'
import { otherAppsPlan } from './other-apps-plan.tsx'

/** List of apps outside the catalog. */
export const OtherAppsPage = () => <ListPage plan={otherAppsPlan} />
