import { ListPage } from '../../list/list-page.tsx'
import { findingsPlan } from './findings-plan.tsx'

/** List of findings. */
export const FindingsPage = () => <ListPage plan={findingsPlan} />
