import type { IncidentEntry } from '@muster/contract/console/incidents/console-incidents'
import { Link } from '@tanstack/react-router'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { Isolated } from '../../ui/text/isolated.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { incidentEntryText } from './incident-words.ts'

/** Timeline of an incident, newest first. */
export const IncidentTimeline = ({ entries }: { entries: readonly IncidentEntry[] }) => (
  <ol className="lines">
    {entries.map((entry) => (
      <Entry
        key={[entry.kind, entry.id, entry.timestamp, entry.author, entry.to, entry.text].join(' ')}
        entry={entry}
      />
    ))}
  </ol>
)

function Entry({ entry }: { entry: IncidentEntry }) {
  const { kind, id, timestamp, severity, state, response, employeeId, employeeName, text } = entry
  const words = <Isolated>{incidentEntryText(entry)}</Isolated>
  return (
    <li>
      <span className="rule-text">
        {id === null ? (
          words
        ) : (
          <Link to={kind === 'FINDING' ? '/findings/$id' : '/detections/$id'} params={{ id }}>
            {words}
          </Link>
        )}
        {employeeId !== null && (
          <>
            {' · '}
            <Link to="/employees/$id" params={{ id: employeeId }}>
              {employeeName ?? employeeId}
            </Link>
          </>
        )}
        {response !== null && <span className="soft"> · {labelOf(response).toLowerCase()}</span>}
        {text !== null && <p className="note-text">{text}</p>}
        {kind === 'NOTE' && text === null && <p className="soft">The text was erased.</p>}
        <br />
        <span className="soft small">
          <FullMoment seconds={timestamp} />
        </span>
      </span>
      {state !== null && state !== 'OPEN' && <Badge>{labelOf(state)}</Badge>}
      {severity !== null && <ValueBadge value={severity} />}
      <span className="soft small">
        <Moment seconds={timestamp} />
      </span>
    </li>
  )
}
