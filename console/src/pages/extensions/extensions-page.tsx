import { ListPage } from '../../list/list-page.tsx'
import { extensionsPlan } from './extensions-plan.tsx'

/** The extensions of the organization. */
export const ExtensionsPage = () => <ListPage plan={extensionsPlan} />
