import { ListPage } from '../../list/list-page.tsx'
import { installationsPlan } from './installations-plan.tsx'

/** All extensions in all browsers. */
export const InstallationsPage = () => <ListPage plan={installationsPlan} />
