import { callRecord } from '../../data/call.ts'
import type { ListRecord } from '../../data/lists.ts'
import { personName } from '../../data/person.ts'
import { addedColumn, assigneeColumn, momentColumn } from '../../list/common-columns.tsx'
import { defaultFilters } from '../../list/list-paths.ts'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { detectionWorkDialogs } from '../work/work-dialogs.tsx'
import { pageHost } from './page-host.ts'

/** Restores the previous classification. */
const unclassify = ({ id, classification }: ListRecord<'detections'>) =>
  callRecord('updateDetection', { id, body: { classification } })

/** The list of detections. Archived ones are hidden by default. */
export const detectionsPlan: ListPlan<'detections'> = {
  name: 'detections',
  title: 'Detections',
  counted: ['detection', 'detections'],
  searchHint: 'Search by address or person',
  quickFilters: ['severity', 'detectionType', 'classification', 'archived'],
  hiddenFilters: ['browserId', 'incidentId'],
  pathOf: ({ id }) => recordPath('/detections/$id', id),
  nameOf: ({ detectionType, employee }) => `${labelOf(detectionType)}, ${personName(employee)}`,
  columns: [
    {
      id: 'type',
      csv: 'detectionType',
      title: 'Detection',
      width: 'minmax(160px, 1.2fr)',
      render: ({ detectionType }) => labelOf(detectionType),
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
      id: 'employee',
      csv: 'employeeName',
      title: 'Employee',
      width: 'minmax(140px, 1.1fr)',
      render: ({ employee }) => <Named name={personName(employee)} of="person" />,
    },
    {
      id: 'where',
      csv: 'host',
      title: 'Host',
      width: 'minmax(150px, 1.4fr)',
      render: ({ url }) => pageHost(url),
    },
    {
      id: 'response',
      csv: 'response',
      title: 'Response',
      width: '140px',
      render: ({ response }) => <ValueBadge value={response} />,
    },
    {
      id: 'classification',
      csv: 'classification',
      title: 'Classification',
      width: '150px',
      render: ({ classification, archived }) =>
        (archived || classification !== 'NOT_CLASSIFIED') && (
          <span className="row">
            {classification !== 'NOT_CLASSIFIED' && <ValueBadge value={classification} />}
            {archived && <Badge>Archived</Badge>}
          </span>
        ),
    },
    assigneeColumn,
    momentColumn('active', 'Last seen', 'lastActivityTimestamp'),
    { ...addedColumn, hidden: true },
    {
      id: 'address',
      csv: 'sourceIpAddress',
      title: 'IP address',
      width: '140px',
      hidden: true,
      render: ({ sourceIpAddress }) => sourceIpAddress ?? '',
    },
  ],
  actions: [
    {
      id: 'archive',
      title: 'Archive',
      key: 'e',
      run: ({ id }) => callRecord('updateDetection', { id, body: { archived: true } }),
      undo: ({ id, archived }) => callRecord('updateDetection', { id, body: { archived } }),
      leaves: ({ archived }) => archived === 'false',
      done: (count) => `${count} archived.`,
    },
    {
      id: 'true',
      title: 'True positive',
      key: 't',
      run: ({ id }) => callRecord('updateDetection', { id, body: { classification: 'TRUE_POSITIVE' } }),
      undo: unclassify,
      done: (count) => `${count} classified as true positive.`,
    },
    {
      id: 'benign',
      title: 'Benign true positive',
      key: 'b',
      run: ({ id }) =>
        callRecord('updateDetection', { id, body: { classification: 'BENIGN_TRUE_POSITIVE' } }),
      undo: unclassify,
      done: (count) => `${count} classified as benign true positive.`,
    },
    {
      id: 'false',
      title: 'False positive',
      key: 'f',
      run: ({ id }) => callRecord('updateDetection', { id, body: { classification: 'FALSE_POSITIVE' } }),
      undo: unclassify,
      done: (count) => `${count} classified as false positive.`,
    },
  ],
  bulkDialogs: detectionWorkDialogs,
  defaults: { ...defaultFilters.detections, sort: '-lastActivityTimestamp' },
  empty: {
    title: 'No open detections',
    text: <p>Attacks detected in enrolled browsers appear here.</p>,
  },
}
