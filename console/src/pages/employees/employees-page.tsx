import { ListPage } from '../../list/list-page.tsx'
import { employeesPlan } from './employees-plan.tsx'

/** All employees. */
export const EmployeesPage = () => <ListPage plan={employeesPlan} />
