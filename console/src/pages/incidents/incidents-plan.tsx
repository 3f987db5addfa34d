import { employeeColumn, momentColumn } from '../../list/common-columns.tsx'
import { FigureLink } from '../../list/figure-link.tsx'
import { defaultFilters } from '../../list/list-paths.ts'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { counted } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { assigneeText } from './incident-words.ts'

/** The list of incidents. Closed ones are hidden by default. */
export const incidentsPlan: ListPlan<'incidents'> = {
  name: 'incidents',
  title: 'Incidents',
  counted: ['incident', 'incidents'],
  searchHint: 'Search by site',
  quickFilters: ['status', 'severity', 'detectionType', 'assignee'],
  hiddenFilters: ['involvedId'],
  pathOf: ({ id }) => recordPath('/incidents/$id', id),
  nameOf: ({ title }) => title,
  columns: [
    {
      id: 'title',
      csv: 'title',
      title: 'Incident',
      width: 'minmax(260px, 3fr)',
      render: ({ title }) => title,
    },
    {
      id: 'severity',
      csv: 'severity',
      title: 'Severity',
      width: '110px',
      sort: 'severity',
      render: ({ severity }) => <ValueBadge value={severity} />,
    },
    {
      id: 'status',
      csv: 'status',
      title: 'Status',
      width: '100px',
      render: ({ status }) => <ValueBadge value={status} />,
    },
    {
      id: 'people',
      csv: 'people',
      title: 'People',
      width: '90px',
      sort: 'people',
      number: true,
      render: ({ people }) => people.toLocaleString('en-GB'),
    },
    {
      id: 'site',
      csv: 'site',
      title: 'Site',
      width: 'minmax(130px, 1fr)',
      hidden: true,
      render: ({ site }) => site ?? '',
    },
    {
      id: 'open',
      csv: 'openDetections',
      title: 'Open',
      width: '80px',
      sort: 'openDetections',
      number: true,
      render: ({ id, openDetections }) => (
        <FigureLink
          count={openDetections}
          list="detections"
          filters={{ incidentId: id, archived: 'false' }}
        />
      ),
    },
    {
      id: 'detections',
      csv: 'detections',
      title: 'Detections',
      width: '110px',
      sort: 'detections',
      number: true,
      hidden: true,
      render: ({ id, detections }) => (
        <FigureLink count={detections} list="detections" filters={{ incidentId: id }} />
      ),
    },
    { ...employeeColumn, hidden: true },
    {
      id: 'assignee',
      csv: 'assigneeName',
      title: 'Assignee',
      width: '140px',
      render: assigneeText,
    },
    momentColumn('first', 'First seen', 'creationTimestamp'),
    momentColumn('active', 'Last seen', 'lastActivityTimestamp'),
    {
      id: 'kind',
      csv: 'kind',
      title: 'Kind',
      width: '130px',
      hidden: true,
      render: ({ kind, people }) =>
        kind === 'MANY_PEOPLE' ? counted(people, 'person', 'people') : labelOf(kind),
    },
  ],
  defaults: { ...defaultFilters.incidents, sort: '-lastActivityTimestamp' },
  empty: {
    title: 'No open incidents',
    text: <p>Attacks detected in enrolled browsers appear here, grouped by site and person.</p>,
  },
}
