import type { IncidentDetail } from '@muster/contract/console/incidents/console-incidents'
import { Link } from '@tanstack/react-router'
import { FigureLink } from '../../list/figure-link.tsx'
import { listLink } from '../../list/list-paths.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { Related } from '../../ui/page/related.tsx'
import { CopyText } from '../../ui/text/copy-button.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { IncidentActions } from './incident-actions.tsx'
import { IncidentTimeline } from './incident-timeline.tsx'
import { assigneeText } from './incident-words.ts'
import { useIncident } from './use-incident.ts'

/** Page of an incident: its timeline, the people, and changes of all its detections. */
export function IncidentPage() {
  const query = useIncident()
  return (
    <RecordPage query={query} list={{ path: '/incidents', title: 'Incidents' }}>
      {(detail) => <IncidentRecord key={detail.incident.id} detail={detail} />}
    </RecordPage>
  )
}

const shownPeople = 12

function IncidentRecord({ detail }: { detail: IncidentDetail }) {
  const { incident, people, entries, shownDetections } = detail
  const { id, site, detections, openDetections } = incident
  const shown = people.slice(0, shownPeople)
  const morePeople = incident.people - shown.length
  const isPartial = shownDetections < detections
  return (
    <>
      <PageHead
        title={incident.title}
        aside={
          <>
            <ValueBadge value={incident.severity} />
            {incident.status === 'CLOSED' && <Badge>Closed</Badge>}
          </>
        }
      >
        <IncidentActions incident={incident} />
      </PageHead>
      <div className="columns">
        <div className="stack">
          <Card title="Timeline">
            {isPartial && (
              <p className="soft">
                The latest {shownDetections.toLocaleString('en-GB')} of {detections.toLocaleString('en-GB')}{' '}
                detections.{' '}
                <Link {...listLink({ list: 'detections', filters: { incidentId: id } })}>View all</Link>
              </p>
            )}
            <IncidentTimeline entries={entries} />
          </Card>
        </div>
        <div className="stack">
          <Card title="Incident">
            <Facts
              facts={[
                ['Site', site && <CopyText key="site" text={site} what="site" />],
                ['Types', incident.detectionTypes.map(labelOf).join(', ')],
                ['People', incident.people.toLocaleString('en-GB')],
                [
                  'Detections',
                  <FigureLink key="all" count={detections} list="detections" filters={{ incidentId: id }} />,
                ],
                [
                  'Open',
                  <FigureLink
                    key="open"
                    count={openDetections}
                    list="detections"
                    filters={{ incidentId: id, archived: 'false' }}
                  />,
                ],
                ['Assignee', assigneeText(incident) ?? <span className="soft">Nobody</span>],
                ['First seen', <FullMoment key="first" seconds={incident.creationTimestamp} />],
                ['Last seen', <FullMoment key="last" seconds={incident.lastActivityTimestamp} />],
              ]}
            />
          </Card>
          <Card title="People">
            <ul className="lines">
              {shown.map((person) => (
                <li key={person.id}>
                  <Link to="/employees/$id" params={{ id: person.id }} className="grow">
                    {person.name}
                  </Link>
                  <FigureLink
                    count={person.detections}
                    list="detections"
                    filters={{ incidentId: id, employeeId: person.id }}
                  />
                </li>
              ))}
            </ul>
            {morePeople > 0 && <p className="soft small">And {morePeople.toLocaleString('en-GB')} more</p>}
          </Card>
          {site !== null && (
            <Related
              title="Other incidents on this site"
              list="incidents"
              search={{ except: id, site, sort: '-lastActivityTimestamp' }}
              none="None"
            >
              {(other) => (
                <>
                  <Link to="/incidents/$id" params={{ id: other.id }} className="grow">
                    {other.title}
                  </Link>
                  <span className="soft small">
                    <Moment seconds={other.lastActivityTimestamp} />
                  </span>
                </>
              )}
            </Related>
          )}
        </div>
      </div>
    </>
  )
}
