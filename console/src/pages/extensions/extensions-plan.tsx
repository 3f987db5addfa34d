import { worstCapability } from '@muster/contract/console/permission-risk'
import { callConsole } from '../../data/call.ts'
import type { ListRecord } from '../../data/lists.ts'
import { addedColumn } from '../../list/common-columns.tsx'
import type { ListPlan } from '../../list/list-plan.ts'
import { recordPath } from '../../list/record-path.ts'
import { Badge } from '../../ui/badge.tsx'
import { counted, nounFor } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { CountingNote, NoneCounted } from './counting-note.tsx'
import { RiskBadge } from './risk-badge.tsx'

/** The list of extensions, grouped over all browsers. */
export const extensionsPlan: ListPlan<'extensionGroups'> = {
  name: 'extensionGroups',
  title: 'Browser extensions',
  counted: ['extension', 'extensions'],
  searchHint: 'Search by name or ID',
  quickFilters: ['risk', 'hostReach', 'source', 'blocked'],
  note: <CountingNote />,
  pathOf: ({ extensionId }) => recordPath('/extensions/$id', extensionId),
  nameOf: ({ name, extensionId }) => name || extensionId,
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
      sort: 'riskScore',
      render: ({ risk }) => <RiskBadge risk={risk} />,
    },
    {
      id: 'people',
      csv: 'people',
      title: 'People',
      width: '100px',
      number: true,
      sort: 'people',
      render: ({ people }) => people.toLocaleString('en-GB'),
    },
    {
      id: 'browsers',
      csv: 'browsers',
      title: 'Browsers',
      width: '120px',
      number: true,
      sort: 'browsers',
      render: ({ browsers }) => browsers.toLocaleString('en-GB'),
    },
    {
      id: 'reach',
      csv: 'hostReach',
      title: 'Site access',
      width: '120px',
      render: ({ hostReach }) => labelOf(hostReach),
    },
    {
      id: 'worst',
      csv: 'mainCapability',
      title: 'Main capability',
      width: 'minmax(200px, 2fr)',
      render: ({ permissions, hostPermissions }) => worstCapability([...hostPermissions, ...permissions]),
    },
    {
      id: 'source',
      csv: 'source',
      title: 'Source',
      width: '120px',
      hidden: true,
      render: ({ source }) => sourceWords[source],
    },
    {
      id: 'blocked',
      csv: 'blocked',
      title: 'Blocked',
      width: '100px',
      render: ({ blocked }) => (blocked ? <Badge tone="critical">Blocked</Badge> : ''),
    },
    addedColumn,
    {
      id: 'versions',
      csv: 'versionCount',
      title: 'Versions',
      width: '110px',
      number: true,
      hidden: true,
      render: ({ versionCount }) => versionCount.toLocaleString('en-GB'),
    },
    {
      id: 'id',
      csv: 'extensionId',
      title: 'ID',
      width: 'minmax(260px, 1fr)',
      hidden: true,
      render: ({ extensionId }) => <code>{extensionId}</code>,
    },
  ],
  actions: [
    {
      id: 'block',
      title: 'Block',
      run: (record) => block([record]),
      runAll: block,
      undoAll: unblock,
      done: (count) =>
        `${counted(count, 'extension')} blocked. Browsers disable ${nounFor(count, 'it', 'them')} at their next check-in.`,
    },
  ],
  defaults: { sort: '-browsers' },
  empty: { title: 'No extensions yet', text: <NoneCounted /> },
}

const sourceWords = { STORE: 'Store', ELSEWHERE: 'Other', BOTH: 'Both' } as const

type Extensions = readonly ListRecord<'extensionGroups'>[]

/** Adds extensions to the block list. */
function block(records: Extensions): Promise<void> {
  return changeBlockList((ids) => [...new Set([...ids, ...records.map(({ extensionId }) => extensionId)])])
}

/** Removes those extensions from the block list that were not on it before. */
function unblock(before: Extensions): Promise<void> {
  const added = new Set(before.flatMap(({ blocked, extensionId }) => (blocked ? [] : [extensionId])))
  return changeBlockList((ids) => ids.filter((id) => !added.has(id)))
}

/** Changes the latest block list, in case others have changed it. */
async function changeBlockList(change: (ids: readonly string[]) => string[]): Promise<void> {
  const { controls, version } = await callConsole('readControls')
  const blockedExtensionIds = change(controls.blockedExtensionIds)
  await callConsole('changeControls', { body: { seen: version, change: { blockedExtensionIds } } })
}
