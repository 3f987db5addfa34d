import { riskOf } from '@muster/contract/console/permission-risk'
import { addedColumn, employeeColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { Badge } from '../../ui/badge.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { RiskBadge } from './risk-badge.tsx'

/** The list of extensions, one record for each browser that has one. */
export const installationsPlan: ListPlan<'browserExtensions'> = {
  name: 'browserExtensions',
  title: 'Installed extensions',
  counted: ['installation', 'installations'],
  searchHint: 'Search by name or ID',
  quickFilters: ['deploymentMode', 'enabled'],
  presets: [{ title: 'Access to all sites', filters: { everySite: 'true' } }],
  hiddenFilters: ['browserId'],
  pathOf: ({ extensionId }) => recordPath('/extensions/$id', extensionId),
  nameOf: ({ name }) => name,
  columns: [
    {
      id: 'name',
      csv: 'name',
      title: 'Extension',
      width: 'minmax(200px, 2fr)',
      render: ({ name, extensionId }) => name || extensionId,
    },
    {
      id: 'risk',
      csv: 'risk',
      title: 'Risk',
      width: '110px',
      render: (record) => <RiskBadge risk={riskOf(record)} />,
    },
    employeeColumn,
    {
      id: 'enabled',
      csv: 'enabled',
      title: 'State',
      width: '100px',
      render: ({ enabled }) => (enabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>),
    },
    {
      id: 'mode',
      csv: 'deploymentMode',
      title: 'Installed by',
      width: '120px',
      render: ({ deploymentMode }) => labelOf(deploymentMode),
    },
    { id: 'version', csv: 'version', title: 'Version', width: '110px', render: ({ version }) => version },
    addedColumn,
    {
      id: 'id',
      csv: 'extensionId',
      title: 'ID',
      width: 'minmax(260px, 1fr)',
      hidden: true,
      render: ({ extensionId }) => <code>{extensionId}</code>,
    },
    {
      id: 'permissions',
      csv: 'permissions',
      title: 'All permissions',
      width: 'minmax(220px, 1.5fr)',
      hidden: true,
      render: ({ permissions }) => permissions.join(', '),
    },
    {
      id: 'hosts',
      csv: 'hostPermissions',
      title: 'Site access',
      width: 'minmax(160px, 1fr)',
      hidden: true,
      render: ({ hostPermissions }) => hostPermissions.join(', '),
    },
  ],
  empty: {
    title: 'No extensions yet',
    text: <p>Extensions appear when enrolled browsers report them.</p>,
  },
}
