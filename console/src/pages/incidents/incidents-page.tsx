import { ListPage } from '../../list/list-page.tsx'
import { incidentsPlan } from './incidents-plan.tsx'

/** List of incidents. */
export const IncidentsPage = () => <ListPage plan={incidentsPlan} />
