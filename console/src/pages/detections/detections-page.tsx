import { ListPage } from '../../list/list-page.tsx'
import { detectionsPlan } from './detections-plan.tsx'

/** The queue of detections. */
export const DetectionsPage = () => <ListPage plan={detectionsPlan} />
