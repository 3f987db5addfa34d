import { ListPage } from '../../list/list-page.tsx'
import { extensionsPlan } from './extensions-plan.tsx'

/** The extensions of the organisation. */
export const ExtensionsPage = () => <ListPage plan={extensionsPlan} />
