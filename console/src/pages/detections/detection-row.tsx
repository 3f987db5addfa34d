import { Link } from '@tanstack/react-router'
import type { ListRecord } from '../../data/lists.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { pageHost } from './page-host.ts'

/** A detection in a list of related records. */
export function DetectionRow({ detection }: { detection: ListRecord<'detections'> }) {
  return (
    <>
      <Link to="/detections/$id" params={{ id: detection.id }} className="grow">
        {labelOf(detection.detectionType)} <span className="soft">{pageHost(detection.url)}</span>
      </Link>
      {detection.archived && <Badge>Archived</Badge>}
      <ValueBadge value={detection.severity} />
      <span className="soft small">
        <Moment seconds={detection.lastActivityTimestamp} />
      </span>
    </>
  )
}
