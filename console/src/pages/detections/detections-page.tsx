import { ListPage } from '../../list/list-page.tsx'
import { detectionsPlan } from './detections-plan.tsx'

/** List of detections. */
export const DetectionsPage = () => <ListPage plan={detectionsPlan} />
