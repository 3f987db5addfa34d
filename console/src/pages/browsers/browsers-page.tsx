import { ListPage } from '../../list/list-page.tsx'
import { browsersPlan } from './browsers-plan.tsx'

/** List of browsers. */
export const BrowsersPage = () => <ListPage plan={browsersPlan} />
