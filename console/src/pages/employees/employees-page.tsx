import { ListPage } from '../../list/list-page.tsx'
import { employeesPlan } from './employees-plan.tsx'

/** List of employees. */
export const EmployeesPage = () => <ListPage plan={employeesPlan} />
