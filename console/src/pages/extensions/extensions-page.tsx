import { ListPage } from '../../list/list-page.tsx'
import { extensionsPlan } from './extensions-plan.tsx'

/** List of extensions. */
export const ExtensionsPage = () => <ListPage plan={extensionsPlan} />
