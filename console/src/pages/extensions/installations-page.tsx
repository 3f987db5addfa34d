import { ListPage } from '../../list/list-page.tsx'
import { installationsPlan } from './installations-plan.tsx'

/** List of installations: every extension in every browser. */
export const InstallationsPage = () => <ListPage plan={installationsPlan} />
