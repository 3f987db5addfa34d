import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { FindingPriority, RecordRisk } from '@muster/contract/risk/console-priority'
import { reasonsOf } from '@muster/contract/risk/risk-rules'
import type { ListSearch } from '../../data/list-search.ts'
import { type ListRecord, useFirstRecords } from '../../data/lists.ts'
import { Badge, ValueBadge } from '../badge.tsx'
import { toneOf } from '../text/labels.ts'

/** Priority of a finding; the reasons are its tooltip. */
export function PriorityBadge({ priority, priorityReasons }: FindingPriority) {
  if (priority === null) return <span className="soft">–</span>
  return (
    <span title={reasonsOf(priorityReasons).join('\n')}>
      <Badge tone={toneOf(priority)}>{priority}</Badge>
    </span>
  )
}

/** Risk of an employee, an account or an app. */
export const RiskBadge = ({ risk }: RecordRisk) => <ValueBadge value={risk === 'NONE' ? null : risk} />

/** Risk of the record of a page, which is found in a list by a search. */
export function FoundRisk<N extends ConsoleListName>({
  list,
  id,
  search,
}: {
  list: N & ('employees' | 'accounts')
  id: string
  search: ListSearch
}) {
  const { data } = useFirstRecords<'employees' | 'accounts'>(list, search, { limit: 100 })
  const found = data?.records.find((record: ListRecord<'employees' | 'accounts'>) => record.id === id)
  return found ? <RiskBadge risk={found.risk} /> : null
}
