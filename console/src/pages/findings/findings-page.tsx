import { ListPage } from '../../list/list-page.tsx'
import { findingsPlan } from './findings-plan.tsx'

/** The queue of findings. */
export const FindingsPage = () => <ListPage plan={findingsPlan} />
