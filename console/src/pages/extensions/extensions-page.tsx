import { ListPage } from '../../list/list-page.tsx'
import { extensionsPlan } from './extensions-plan.tsx'

/** All extensions in all browsers. */
export const ExtensionsPage = () => <ListPage plan={extensionsPlan} />
