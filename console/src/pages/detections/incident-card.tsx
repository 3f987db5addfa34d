import { Link } from '@tanstack/react-router'
import { ValueBadge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { useIncidentOf } from '../incidents/use-incident.ts'

/** The incident of a detection. New detections are grouped about a second after they arrive. */
export function IncidentCard({ detectionId }: { detectionId: string }) {
  const { data } = useIncidentOf(detectionId)
  if (!data) return null
  const { id, title, status, detections, people } = data.incident
  return (
    <Card title="Incident">
      <p>
        <Link to="/incidents/$id" params={{ id }}>
          {title}
        </Link>
      </p>
      <Facts
        facts={[
          ['Status', <ValueBadge key="status" value={status} />],
          ['Detections', detections.toLocaleString('en-GB')],
          ['People', people.toLocaleString('en-GB')],
        ]}
      />
    </Card>
  )
}
